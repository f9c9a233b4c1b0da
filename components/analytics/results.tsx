import { Stat, StatRow } from '#components/ui/feedback/stat'
import { Panel } from '#components/ui/layout/panel'
import { PlotBar } from '#components/ui/plots/plot-bar'
import { PlotFunnel } from '#components/ui/plots/plot-funnel'
import { PlotLine } from '#components/ui/plots/plot-line'
import type { CampaignAnalytics } from '#lib/contracts/campaigns/campaign-analytics'
import { capital } from '#lib/domain/text/capital'
import { everyDay } from '../ui/plots/every-day.ts'
import { shortDay } from '../ui/plots/short-day.ts'
import { funnelStages, percent } from './funnel.ts'
import { hasHappened, StepResults, StepsToCome } from './step-results.tsx'
import { TrackingResults } from './tracking-results.tsx'
import { TrueRange } from './true-range.tsx'

type Rate = CampaignAnalytics['reply_rate']

/** The funnel first, with each person counted once; then steps and variants with their uncertainty. */
export function CampaignResults({ analytics }: { analytics: CampaignAnalytics }) {
  const { steps } = analytics
  const isPart = analytics.from !== null || analytics.to !== null
  return (
    <>
      <ResultSummary analytics={analytics} />
      {steps.filter(hasHappened).map((step) => (
        <StepResults key={step.step} step={step} isPart={isPart} />
      ))}
      <TrackingResults tracking={analytics.tracking} />
      {/* Two short panels: side by side, or one alone in full width. */}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 empty:hidden lg:has-[>:nth-child(2)]:grid-cols-2">
        <StepsToCome steps={steps.filter((step) => !hasHappened(step))} isPart={isPart} />
        <NotMeasured not_measured={analytics.not_measured} />
      </div>
    </>
  )
}

function NotMeasured({ not_measured }: Pick<CampaignAnalytics, 'not_measured'>) {
  if (not_measured.length === 0) return null
  return (
    <Panel title="Not measured">
      <ul className="grid gap-1 text-sm text-muted">
        {not_measured.map(({ name, reason }) => (
          <li key={name}>
            <span className="text-text">{capital(name.replaceAll('_', ' '))}</span>: {reason}
          </li>
        ))}
      </ul>
    </Panel>
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
        <RateStat label="Bounced" rate={bounce_rate} noun="tried" />
        <RateStat label="Unsubscribed" rate={unsubscribe_rate} noun="emailed" />
        {open_rate?.denominator ? <RateStat label="Opened" rate={open_rate} noun="tracked" /> : null}
        {click_rate?.denominator ? <RateStat label="Clicked" rate={click_rate} noun="tracked" /> : null}
      </StatRow>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
        <Panel>
          <PlotFunnel title="Leads" stages={funnelStages(analytics)} />
        </Panel>
        <Panel>
          <Days analytics={analytics} />
        </Panel>
      </div>
    </>
  )
}

/** A line chart needs two days; a single day is a bar. */
function Days({ analytics: { timezone, ...analytics } }: { analytics: CampaignAnalytics }) {
  const days: { date: string; sent: number; replied: number }[] = analytics.days
  const Plot = days.length > 1 ? PlotLine : PlotBar
  const series = days.length > 1 ? ['sent', 'replied'] : ['sent']
  return (
    <Plot
      title="Day by day"
      summary={`Window days in ${timezone}; a reply counts on the day of the message it answers.`}
      series={series}
      points={everyDay(days, (date) => ({ date, sent: 0, replied: 0 })).map((day) => ({
        label: shortDay(day.date),
        values: [day.sent, day.replied].slice(0, series.length),
      }))}
    />
  )
}

/** A rate with its counts and its 95 % confidence interval. */
function RateStat({ label, rate, noun }: { label: string; rate: Rate; noun: string }) {
  const counts = `${rate.numerator.toLocaleString('en')} of ${rate.denominator.toLocaleString('en')} ${noun}`
  return (
    <Stat
      label={label}
      value={percent(rate.rate)}
      detail={
        <>
          {counts}
          <TrueRange rate={rate} />
        </>
      }
    />
  )
}
