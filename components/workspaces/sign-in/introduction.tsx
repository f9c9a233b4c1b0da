import { PlotBar } from '#components/ui/plots/plot-bar'
import { LIMITS } from '../../forecast/forecast-limits.ts'
import { everyDay } from '../../ui/plots/every-day.ts'
import { EXAMPLE, exampleForecast } from './example-forecast.ts'

const PROMISES = [
  ['At most once', 'No lead gets the same step twice, even after a crash.'],
  ['On time', 'Every email goes out within your sending hours and limits.'],
  ['Never after a reply', 'A reply, bounce or unsubscribe ends the sequence.'],
] as const

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const longDay = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: EXAMPLE.timezone,
})

/** A one-sentence description, above the form if the longer one is below it. */
export const SENTENCE = 'Email and social outreach that sends every step once and shows you when.'

/** What Opener is, beside the sign-in forms, with a forecast that is actually computed. */
export function Introduction({ now }: { now: number }) {
  const { days, finish_at, limited_by, total_actions } = exampleForecast(now)
  return (
    <section aria-label="About Opener" className="grid min-w-0 gap-8">
      <div>
        <h2 className="max-w-xl text-2xl max-lg:hidden font-semibold tracking-tight text-balance">
          {SENTENCE}
        </h2>
        <p className="mt-3 max-w-xl text-muted">
          Run campaigns from your own mailboxes and read every reply in one inbox. Open source, on your own
          server.
        </p>
      </div>
      <dl className="grid gap-4 sm:grid-cols-3">
        {PROMISES.map(([title, text]) => (
          <div key={title}>
            <dt className="text-sm font-medium">{title}</dt>
            <dd className="mt-1 text-sm text-muted">{text}</dd>
          </div>
        ))}
      </dl>
      <div className="rounded-md border border-border bg-surface p-5">
        <PlotBar
          title={`Example: ${EXAMPLE.leads} leads, ${EXAMPLE.emails} emails each, ${EXAMPLE.mailboxes} new mailboxes`}
          summary={`Launched now, the last of ${total_actions} emails goes out on ${longDay.format(finish_at ?? now)}. Limited by: ${LIMITS[limited_by].toLowerCase()}.`}
          series={['emails']}
          points={everyDay(days, (date) => ({ date, planned: 0 })).map(({ date, planned }) => ({
            label: day.format(new Date(`${date}T00:00Z`)),
            values: [planned],
          }))}
        />
      </div>
    </section>
  )
}
