import { cache } from 'react'
import { NextDayStrip } from '#components/home/next-day'
import { Panel } from '#components/ui/layout/panel'
import { PlotBar } from '#components/ui/plots/plot-bar'
import type { readHome } from '#lib/services/campaigns/home'
import { readNextDay } from '#lib/services/forecast/next-day'

/** The plot shows as many past as future hours. */
const HALF_DAY = 12

/**
 * Both parts below share one result. It computes a forecast, so they are streamed after the rest of the page.
 */
const nextDay = cache(readNextDay)

type Props = { workspaceId: string; now: Date; zone: string }
type Sent = { sent: Awaited<ReturnType<typeof readHome>>['hours'] }

const clockFormat = (zone: string) =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: zone })

const messages = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'message' : 'messages'}`

/** Sends and planned sends around now. */
export async function DayAround({ workspaceId, now, zone, sent }: Props & Sent) {
  const { hours, planned } = await nextDay(workspaceId, now)
  const clock = clockFormat(zone)
  const recent = sent.slice(-HALF_DAY)
  const points = [
    ...recent.map(({ from, sent: count }, index) => ({
      label: clock.format(from),
      values: [count, index === recent.length - 1 ? (planned[0] ?? 0) : 0],
    })),
    ...hours.slice(1, HALF_DAY).map((hour, index) => ({
      label: clock.format(hour),
      values: [0, planned[index + 1] ?? 0],
    })),
  ]
  const left = recent.reduce((sum, one) => sum + one.sent, 0)
  const toCome = planned.slice(0, HALF_DAY).reduce((sum, count) => sum + count, 0)
  // An empty plot would look like an error.
  if (left + toCome === 0) {
    return (
      <Panel title="Sends by hour">
        <p className="py-6 text-center text-sm text-muted">
          Nothing sent in the last {HALF_DAY} hours, nothing planned for the next {HALF_DAY}.
        </p>
      </Panel>
    )
  }
  return (
    <Panel>
      <PlotBar
        title="Sends by hour"
        summary={`${messages(left)} sent in the last ${HALF_DAY} hours, ${toCome.toLocaleString('en')} planned for the next ${HALF_DAY}. Times in ${zone}.`}
        series={['sent', 'planned']}
        points={points}
      />
    </Panel>
  )
}

/** The next 24 hours by sender. */
export async function NextDay({ workspaceId, now, zone }: Props) {
  const { hours, planned, senders, left_out } = await nextDay(workspaceId, now)
  const clock = clockFormat(zone)
  const toCome = planned.reduce((sum, count) => sum + count, 0)
  return (
    <Panel
      title="Next 24 hours"
      description={
        toCome === 0
          ? 'Nothing is planned within 24 hours.'
          : `${messages(toCome)} if nobody replies first. Campaigns that share a sender may take longer.${left_out > 0 ? ` Without ${left_out} more ${left_out === 1 ? 'campaign' : 'campaigns'}.` : ''} Times in ${zone}.`
      }
      flush
    >
      {senders.length > 0 ? (
        <NextDayStrip
          hours={hours.map((hour) => clock.format(hour))}
          senders={senders.map(({ sender_id, kind, name, planned: own }) => ({
            href: kind === 'mailbox' ? `/mailboxes/${sender_id}` : `/accounts/${sender_id}`,
            name,
            planned: own,
          }))}
        />
      ) : undefined}
    </Panel>
  )
}
