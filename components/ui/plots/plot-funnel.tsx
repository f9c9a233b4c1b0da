import { clsx } from 'clsx'

export type FunnelStage = {
  label: string
  count: number
  of: string
  /** Good or bad for the owner; the label says it too, so that colour is not the only sign. */
  tone?: 'good' | 'bad' | 'open'
}

const FILLS = { good: 'bg-success', bad: 'bg-danger', open: 'bg-control', plain: 'bg-accent' }

/** People, each counted once, from the widest stage down; every share names its denominator. */
export function PlotFunnel({ title, stages }: { title: string; stages: FunnelStage[] }) {
  const most = Math.max(1, ...stages.map((stage) => stage.count))
  return (
    <figure>
      <figcaption className="mb-2 text-sm font-medium">{title}</figcaption>
      <ol className="grid gap-2">
        {stages.map((stage) => (
          <li key={stage.label} className="text-sm">
            <div className="flex justify-between gap-3">
              <span>{stage.label}</span>
              <span>
                <span className="text-muted">{stage.of}</span>
                <span className="ml-3 inline-block min-w-8 text-right font-medium">
                  {stage.count.toLocaleString('en')}
                </span>
              </span>
            </div>
            <div aria-hidden className="mt-1 h-2 rounded-full bg-sunken ring-1 ring-border">
              <div
                className={clsx('h-full rounded-full', FILLS[stage.tone ?? 'plain'])}
                style={{ width: `${(100 * stage.count) / most}%` }}
              />
            </div>
          </li>
        ))}
      </ol>
    </figure>
  )
}
