import { Stat, StatRow } from '#components/ui/feedback/stat'
import { Panel } from '#components/ui/layout/panel'
import { PlotBar } from '#components/ui/plots/plot-bar'
import { PlotFunnel } from '#components/ui/plots/plot-funnel'
import { PlotLine } from '#components/ui/plots/plot-line'
import type { CampaignAnalytics } from '#lib/contracts/campaigns/campaign-analytics'
import { hasHappened, StepResults, StepsToCome } from './step-results.tsx'
import { TrackingResults } from './tracking-results.tsx'

type Rate = CampaignAnalytics['reply_rate']

export const percent = (share: number | null): string =>
  share === null ? '–' : `${(100 * share).toFixed(1)} %`

/** The funnel first, each person once; then steps and variants with what is honestly known of them. */
export function CampaignResults({ analytics }: { analytics: CampaignAnalytics }) {
  const { steps } = analytics
  const isPart = analytics.from !== null || analytics.to !== null
  return (
    <>
      <ResultSummary analytics={analytics} />
      {steps.filter(hasHappened).map((step) => (
        <StepResults key={step.step} step={step} isPart={isPart} />
      ))}
      <StepsToCome steps={steps.filter((step) => !hasHappened(step))} isPart={isPart} />
      <TrackingResults tracking={analytics.tracking} />
      {analytics.not_measured.length > 0 && (
        <Panel title="Not measured">
          <ul className="grid gap-1 text-sm text-muted">
            {analytics.not_measured.map(({ name, reason }) => (
              <li key={name}>
                <span className="text-text">{capital(name.replaceAll('_', ' '))}</span>: {reason}
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  )
}

/** The rates, the funnel and the days of a campaign. */
export function ResultSummary({ analytics }: { analytics: CampaignAnalytics }) {
  const { reply_rate, bounce_rate, unsubscribe_rate, open_rate, click_rate, acceptance_rate } = analytics
  return (
    <>
      <StatRow>
        <RateStat label="Replied" rate={reply_rate} noun="contacted" />
        {acceptance_rate?.denominator ? (
          <RateStat label="Accepted" rate={acceptance_rate} noun="invited" />
        ) : null}
        <RateStat label="Bounced" rate={bounce_rate} noun="mailed or refused" />
        <RateStat label="Unsubscribed" rate={unsubscribe_rate} noun="mailed" />
        {open_rate?.denominator ? <RateStat label="Opened" rate={open_rate} noun="tracked" /> : null}
        {click_rate?.denominator ? <RateStat label="Clicked" rate={click_rate} noun="tracked" /> : null}
      </StatRow>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
        <Panel>
          <PlotFunnel title="Each lead once" stages={buildStages(analytics)} />
        </Panel>
        <Panel>
          <Days analytics={analytics} />
        </Panel>
      </div>
    </>
  )
}

const capital = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`

/** A line needs two days; one day is a bar. */
function Days({ analytics: { days, timezone } }: { analytics: CampaignAnalytics }) {
  const Plot = days.length > 1 ? PlotLine : PlotBar
  const series = days.length > 1 ? ['sent', 'replied'] : ['sent']
  return (
    <Plot
      title="Day by day"
      summary={`Window days in ${timezone}; a reply counts on the day of the message it answers.`}
      series={series}
      points={days.map((day) => ({
        label: shortDay(day.date),
        values: [day.sent, day.replied].slice(0, series.length),
      }))}
    />
  )
}

/** A rate with its counts and the range in which the true one lies with 95 % probability. */
function RateStat({ label, rate, noun }: { label: string; rate: Rate; noun: string }) {
  const counts = `${rate.numerator.toLocaleString('en')} of ${rate.denominator.toLocaleString('en')} ${noun}`
  return (
    <Stat
      label={label}
      value={percent(rate.rate)}
      detail={
        <>
          {counts}
          {rate.low !== null && (
            <span className="block" title="The true rate is between these with 95 % probability.">
              {percent(rate.low)} to {percent(rate.high)}
            </span>
          )}
        </>
      }
    />
  )
}

function buildStages({ leads, tracking, from, to }: CampaignAnalytics) {
  const { total, contacted } = leads
  const of = (count: number, whole: number, name: string) =>
    whole === 0 ? `of 0 ${name}` : `${percent(count / whole)} of ${name}`
  const tracked = (label: string, sums: CampaignAnalytics['tracking']['opens']) =>
    sums?.tracked ? [{ label, count: sums.people, of: of(sums.people, sums.tracked, 'tracked') }] : []
  return [
    { label: from || to ? 'Tried in these days' : 'In the campaign', count: total, of: 'leads' },
    { label: 'Contacted', count: contacted, of: of(contacted, total, 'all') },
    ...tracked('Opened', tracking.opens),
    ...tracked('Clicked', tracking.clicks),
    ...(!leads.invited || leads.accepted === null
      ? []
      : [
          { label: 'Invited', count: leads.invited, of: of(leads.invited, total, 'all') },
          { label: 'Accepted', count: leads.accepted, of: of(leads.accepted, leads.invited, 'invited') },
        ]),
    { label: 'Replied', count: leads.replied, of: of(leads.replied, contacted, 'contacted') },
    { label: 'Unsubscribed', count: leads.unsubscribed, of: of(leads.unsubscribed, contacted, 'contacted') },
    { label: 'Bounced', count: leads.bounced, of: of(leads.bounced, contacted, 'contacted') },
    {
      label: from || to ? 'Went on, or ended by something else' : 'Still waiting',
      count: leads.waiting,
      of: of(leads.waiting, total, 'all'),
    },
  ]
}

const shortDay = (date: string) =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    new Date(`${date}T00:00Z`),
  )
