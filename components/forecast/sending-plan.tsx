import { Panel } from '#components/ui/layout/panel'
import { PlotBar } from '#components/ui/plots/plot-bar'
import type { CampaignAnalytics } from '#lib/contracts/campaigns/campaign-analytics'
import type { Forecast } from '#lib/contracts/campaigns/forecast-shape'
import { shortDay } from '../ui/plots/short-day.ts'

type Day = { date: string; sent: number; toCome: number; planned: number }

const DAY_MS = 86_400_000
const MOST_BARS = 45

type Props = { forecast: Forecast; left: CampaignAnalytics['days'] }

/** Every day of a campaign: what was sent, what is planned, and the plan at its launch. */
export function SendingPlan({ forecast, left }: Props) {
  const days = everyDay(forecast, left)
  const { launch, total_actions: toCome, timezone } = forecast
  const bars = inSpans(days)
  const sent = days.reduce((sum, day) => sum + day.sent, 0)
  // A finished campaign has no planned sends, so the legend omits them.
  const isAhead = toCome > 0 || launch !== null
  const values = (day: Day) => [day.sent, ...(isAhead ? [day.toCome] : []), ...(launch ? [day.planned] : [])]
  return (
    <Panel>
      <PlotBar
        title={
          bars.length < days.length
            ? `Sends, ${Math.ceil(days.length / MOST_BARS)} days per bar`
            : 'Sends by day'
        }
        summary={`${sent.toLocaleString('en')} sent${toCome > 0 ? `, ${toCome.toLocaleString('en')} upcoming if nobody replies` : ''}. Days in ${timezone}.`}
        series={['sent', ...(isAhead ? ['upcoming'] : []), ...(launch ? ['planned at launch'] : [])]}
        points={bars.map((day) => ({ label: shortDay(day.date), values: values(day) }))}
        hasTarget={launch !== null}
      />
    </Panel>
  )
}

/** Includes days without a send, so that the time axis is linear. */
function everyDay({ days, launch, starts_at, timezone }: Forecast, left: Props['left']): Day[] {
  const known = new Map<string, Day>()
  const day = (date: string) => known.get(date) ?? { date, sent: 0, toCome: 0, planned: 0 }
  for (const { date, sent } of left) known.set(date, { ...day(date), sent })
  for (const { date, planned } of launch?.days ?? []) known.set(date, { ...day(date), planned })
  for (const { date, planned } of days) known.set(date, { ...day(date), toCome: planned })
  const dates = [...known.keys()].sort()
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(new Date(starts_at))
  const first = Date.parse(dates[0] ?? today)
  const length = 1 + (Date.parse(dates.at(-1) ?? today) - first) / DAY_MS
  return Array.from({ length }, (_, index) =>
    day(new Date(first + index * DAY_MS).toISOString().slice(0, 10)),
  )
}

/** If there are more days than bars fit, adds them up in equal spans. */
function inSpans(days: Day[]): Day[] {
  const span = Math.ceil(days.length / MOST_BARS)
  return Array.from({ length: Math.ceil(days.length / span) }, (_, index) =>
    days.slice(index * span, (index + 1) * span).reduce((sum, day) => ({
      date: sum.date,
      sent: sum.sent + day.sent,
      toCome: sum.toCome + day.toCome,
      planned: sum.planned + day.planned,
    })),
  )
}
