import { counted } from '#components/ui/counted'
import { Callout } from '#components/ui/feedback/callout'
import { Stat, StatRow } from '#components/ui/feedback/stat'
import { Panel } from '#components/ui/layout/panel'
import { PlotBar } from '#components/ui/plots/plot-bar'
import { PlotLine } from '#components/ui/plots/plot-line'
import { ZonedTime } from '#components/ui/zoned-time'
import type { Forecast } from '#lib/contracts/campaigns/forecast-shape'
import { NextHolidays } from '../schedule/next-holidays.tsx'
import { everyDay } from '../ui/plots/every-day.ts'
import { shortDay } from '../ui/plots/short-day.ts'
import { ForecastCalendar } from './forecast-calendar.tsx'
import { LIMITS } from './forecast-limits.ts'

/** How the owner could make the campaign finish sooner, by limiting rule. */
const SOONER: Partial<Record<Forecast['limited_by'], string>> = {
  window: 'A longer window or more days would finish it sooner.',
  daily_limit: 'A higher daily limit would finish it sooner.',
  min_interval: 'A shorter interval between sends would finish it sooner.',
  sender: 'More mailboxes or accounts, or higher limits, would finish it sooner.',
  delay: 'Shorter delays in the sequence would finish it sooner.',
}
const MOST_BARS = 60
const idle = (date: string) => ({ date, planned: 0, performed: 0 })

/** Planned sends per day, compared with the plan at the launch and what was performed. */
export function ForecastCurve({ forecast }: { forecast: Forecast }) {
  const { days, timezone, total_actions: total, finish_at, first_at, launch } = forecast
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(new Date(forecast.starts_at))
  if (total === 0 && !launch) return <NothingPlanned warnings={forecast.warnings} />
  return (
    <>
      {total > 0 && (
        <StatRow>
          <Stat
            label="Still to send"
            value={total.toLocaleString('en')}
            detail={days.length === 1 ? 'on one day' : `on ${days.length} days`}
          />
          <Instant label="First" at={first_at} timezone={timezone} />
          <Instant label="Last" at={finish_at} timezone={timezone} />
          <Stat
            label="Limited by"
            isText
            value={LIMITS[forecast.limited_by]}
            detail={SOONER[forecast.limited_by]}
          />
        </StatRow>
      )}
      {(total > 0 ? forecast.warnings : []).map((warning) => (
        <Callout key={warning.code} tone="warning">
          {warning.message}
        </Callout>
      ))}
      {total > 0 && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 2xl:grid-cols-2">
          <Panel>
            <ForecastCalendar days={days} timezone={timezone} today={today} />
          </Panel>
          <Panel>
            <PlotBar
              title="Upcoming sends"
              summary={`${counted(total, 'sends')} if nobody replies or bounces. Days in ${timezone}.`}
              series={['planned']}
              points={grouped(everyDay(days, (date) => ({ date, planned: 0 }))).map((day) => ({
                label: day.label,
                values: [day.planned],
              }))}
            />
          </Panel>
        </div>
      )}
      <NextHolidays holidays={forecast.next_holidays} />
      {launch && launch.days.length > 1 && <LaunchPlot launch={launch} today={today} />}
    </>
  )
}

type Launch = NonNullable<Forecast['launch']>

function LaunchPlot({ launch, today }: { launch: Launch; today: string }) {
  return (
    <Panel>
      <PlotLine
        title="Planned at launch vs. actual"
        summary={`Planned at launch: ${counted(launch.total_actions, 'sends')}.`}
        series={['planned', 'sent']}
        points={everyDay(launch.days, idle)
          .slice(0, MOST_BARS)
          .map((day) => ({
            label: shortDay(day.date),
            // Nothing is known about future days yet, which is not the same as zero.
            values: day.date <= today ? [day.planned, day.performed] : [day.planned],
          }))}
      />
    </Panel>
  )
}

function Instant({ label, at, timezone }: { label: string; at: string | null; timezone: string }) {
  return (
    <Stat
      label={label}
      isText
      value={at ? <ZonedTime at={at} zone={timezone} style="weekday" /> : '–'}
      detail={
        at && (
          <>
            <ZonedTime at={at} zone={timezone} style="time" />, {timezone}
          </>
        )
      }
    />
  )
}

/** If there are more days than bars fit, adds them up in equal spans. */
function grouped(days: { date: string; planned: number }[]): { label: string; planned: number }[] {
  const span = Math.ceil(days.length / MOST_BARS)
  return Array.from({ length: Math.ceil(days.length / span) }, (_, index) => {
    const part = days.slice(index * span, (index + 1) * span)
    return {
      label: shortDay(part[0]?.date ?? ''),
      planned: part.reduce((sum, day) => sum + day.planned, 0),
    }
  })
}

/** Why nothing would be sent, unless it is only that the campaign is incomplete. */
function NothingPlanned({ warnings }: Pick<Forecast, 'warnings'>) {
  const [first, ...others] = warnings.filter(({ code }) => code !== 'no_steps' && code !== 'no_leads')
  if (!first) return <Callout>Upcoming sends appear here once there are steps and leads.</Callout>
  return (
    <Callout tone="warning" title="Nothing would be sent">
      {[first, ...others].map(({ code, message }) => (
        <p key={code}>{message}</p>
      ))}
    </Callout>
  )
}
