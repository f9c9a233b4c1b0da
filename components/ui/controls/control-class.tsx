/**
 * The style of all text controls; 16 px text below 640 px, because phones zoom into fields with smaller text.
 */
export const controlClass =
  'w-full rounded-sm border border-control bg-surface px-2.5 text-lg text-text placeholder:text-muted sm:text-sm transition-colors hover:border-muted focus-visible:border-accent-text focus-visible:outline-1 focus-visible:outline-offset-0 disabled:bg-sunken disabled:text-muted disabled:border-border [&[readonly]]:bg-sunken aria-invalid:border-danger'
