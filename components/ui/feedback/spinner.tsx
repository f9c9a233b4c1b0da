/** Appears only after 200 ms, so that fast actions do not flicker. */
export function Spinner({ label }: { label?: string }) {
  return (
    <span role={label ? 'status' : undefined} className="inline-flex animate-[enter_1ms_200ms_backwards]">
      <svg
        viewBox="0 0 16 16"
        className="size-4 animate-spin"
        aria-hidden="true"
        fill="none"
        stroke="currentColor"
      >
        <circle cx="8" cy="8" r="6" strokeWidth="2" opacity="0.25" />
        <path d="M8 2a6 6 0 0 1 6 6" strokeWidth="2" strokeLinecap="round" />
      </svg>
      {label && <span className="sr-only">{label}</span>}
    </span>
  )
}
