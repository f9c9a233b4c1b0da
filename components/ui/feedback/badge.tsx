import { cva, type VariantProps } from 'class-variance-authority'
import type { ReactNode } from 'react'

const badgeClass = cva(
  'inline-flex h-5 items-center gap-1 rounded-xs border px-1.5 text-xs font-medium whitespace-nowrap [&_svg]:size-3',
  {
    variants: {
      tone: {
        neutral: 'border-border bg-sunken text-muted',
        accent: 'border-accent-border bg-accent-subtle text-accent-text',
        success: 'border-success-border bg-success-subtle text-success',
        warning: 'border-warning-border bg-warning-subtle text-warning',
        danger: 'border-danger-border bg-danger-subtle text-danger',
        info: 'border-info-border bg-info-subtle text-info',
      },
    },
    defaultVariants: { tone: 'neutral' },
  },
)

export type Tone = NonNullable<VariantProps<typeof badgeClass>['tone']>

export function Badge({ tone, children }: { tone?: Tone; children: ReactNode }) {
  return <span className={badgeClass({ tone })}>{children}</span>
}

/** A name of any length, which shrinks in favour of its neighbours. */
export const NameBadge = ({ children }: { children: string }) => (
  <span title={children} className={badgeClass({ className: 'min-w-0' })}>
    <span className="truncate">{children}</span>
  </span>
)
