import { clsx } from 'clsx'
import { CircleCheck, CircleX, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

const TONES = {
  info: { box: 'border-info-border bg-info-subtle', ink: 'text-info', icon: Info },
  success: { box: 'border-success-border bg-success-subtle', ink: 'text-success', icon: CircleCheck },
  warning: { box: 'border-warning-border bg-warning-subtle', ink: 'text-warning', icon: TriangleAlert },
  danger: { box: 'border-danger-border bg-danger-subtle', ink: 'text-danger', icon: CircleX },
}

type Props = {
  tone?: keyof typeof TONES
  title?: ReactNode
  action?: ReactNode
  /** `alert` for a message that appears after an action; absent for one that was there from the start. */
  role?: 'alert' | 'status'
  className?: string
  children?: ReactNode
}

export function Callout({ tone = 'info', title, action, role, className, children }: Props) {
  const { box, ink, icon: Icon } = TONES[tone]
  return (
    <div
      role={role}
      className={clsx('flex items-start gap-2.5 rounded-sm border px-3 py-2.5 text-sm', box, className)}
    >
      <Icon aria-hidden className={clsx('mt-0.5 size-4 shrink-0', ink)} />
      {/* Beside a button a single line is vertically centred; without enough width the button goes below. */}
      <div className="flex min-w-0 flex-1 flex-wrap gap-2">
        <div className={clsx('min-w-0 flex-1 basis-48', !title && 'self-center')}>
          {title && <p className={clsx('font-medium', ink)}>{title}</p>}
          {children && <div className="text-text [&_a]:underline">{children}</div>}
        </div>
        {action && <div className="shrink-0">{action}</div>}
      </div>
    </div>
  )
}
