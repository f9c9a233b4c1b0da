import type { ComponentProps, ReactNode } from 'react'

type Props = Omit<ComponentProps<'input'>, 'type' | 'role'> & { label: ReactNode; hint?: ReactNode }

/** A checkbox that takes effect at once. The knob's position shows its state, not only the colour. */
export function Switch({ label, hint, ...rest }: Props) {
  return (
    <label className="flex min-h-6 items-start justify-between gap-4 text-sm">
      <span>
        <span className="font-medium">{label}</span>
        {hint && <span className="block text-muted">{hint}</span>}
      </span>
      <span className="relative inline-flex shrink-0">
        <input
          type="checkbox"
          // biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox tells its state by itself
          role="switch"
          className="peer h-5 w-9 appearance-none rounded-full border border-control bg-sunken transition-colors checked:border-accent checked:bg-accent disabled:opacity-50"
          {...rest}
        />
        <span
          aria-hidden
          className="pointer-events-none absolute top-[3px] left-[3px] size-3.5 rounded-full bg-control transition-transform peer-checked:translate-x-4 peer-checked:bg-on-accent"
        />
      </span>
    </label>
  )
}
