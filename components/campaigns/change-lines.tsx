import type { EditPreview } from '#lib/contracts/campaigns/edit-preview'
import type { ForecastSummary } from '#lib/contracts/campaigns/forecast-shape'
import type { Line } from '#lib/domain/campaigns/campaign-changes'

export const countLeads = (count: number) => (count === 1 ? '1 lead' : `${count.toLocaleString('en')} leads`)

/** The old and the new value, line by line. */
export function ChangeLines({ lines }: { lines: Line[] }) {
  if (lines.length === 0) return null
  return (
    <dl className="mt-1 divide-y divide-border rounded-sm border border-border text-sm">
      {lines.map(({ what, before, after }) => (
        <div key={what} className="grid gap-x-3 gap-y-1 px-3 py-2 sm:grid-cols-[7rem_minmax(0,1fr)]">
          <dt className="text-muted">{what}</dt>
          <dd className="grid min-w-0 gap-1 whitespace-pre-wrap wrap-anywhere">
            {before !== null && (
              <del className="rounded-xs bg-danger-subtle px-1.5 py-0.5 text-danger">
                <span className="sr-only">Before: </span>
                {before}
              </del>
            )}
            {after !== null && (
              <ins className="rounded-xs bg-success-subtle px-1.5 py-0.5 text-success no-underline">
                <span className="sr-only">After: </span>
                {after}
              </ins>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** “12 left to send, the last on Tue 24 Nov 2026, 10:00” in the campaign's own zone. */
function planned({ total_actions, finish_at, timezone }: ForecastSummary): string {
  if (total_actions === 0) return 'Nothing left to send'
  const left = `${total_actions.toLocaleString('en')} left to send`
  if (finish_at === null) return `${left} in ten years, and more later`
  const last = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: timezone,
  })
    .format(new Date(finish_at))
    .replace(',', '')
  return `${left}, the last on ${last}`
}

/** How the edit changes the plan. */
export function ForecastLine({ preview }: { preview: EditPreview }) {
  const [before, after] = [planned(preview.forecast_before), planned(preview.forecast_after)]
  return (
    <section className="min-w-0">
      <h3 className="text-sm font-medium">Forecast</h3>
      {before === after ? (
        <p className="mt-1 text-sm text-muted">{after}, as before.</p>
      ) : (
        <ChangeLines lines={[{ what: 'Actions', before, after }]} />
      )}
    </section>
  )
}

/** Everything an edit changes, including the plan. */
export function EditChanges({ preview }: { preview: EditPreview }) {
  const groups = Map.groupBy(preview.changes, ({ step }) => step)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {[...groups].map(([step, changes]) => (
        <section key={step ?? 'all'} className="min-w-0">
          <h3 className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm font-medium">
            {step === null ? 'The whole campaign' : `Step ${step}`}
            <span className="font-normal text-muted">
              {countLeads(Math.max(...changes.map(({ leads }) => leads)))} still ahead
            </span>
          </h3>
          <ChangeLines lines={changes.map((change) => ({ ...change, what: withoutStep(change.what) }))} />
        </section>
      ))}
      <ForecastLine preview={preview} />
    </div>
  )
}

/** The heading already names the step. */
const withoutStep = (what: string) => what.replace(/^Step \d+: /, '')
