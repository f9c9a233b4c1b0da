import { counted } from '#components/ui/counted'
import { Stat, StatRow } from '#components/ui/feedback/stat'
import { Panel } from '#components/ui/layout/panel'
import { PlotHeat } from '#components/ui/plots/plot-heat'
import { PlotLine } from '#components/ui/plots/plot-line'
import type { Query } from '#components/ui/query-href'
import type { WorkspaceAnalytics } from '#lib/contracts/campaigns/workspace-analytics'
import { shortDay } from '../ui/plots/short-day.ts'
import { percent } from './funnel.ts'
import { GroupTable } from './group-table.tsx'
import { hoursInWords, ReplyTimes } from './reply-times.tsx'

type Props = { analytics: WorkspaceAnalytics }
/** The page's path with its filters and sort orders. */
type Place = { path: string; query: Query }

const figure = (count: number) => count.toLocaleString('en')

/**
 * All campaigns of a workspace in a date range: totals against the previous period, days, hours, and
 * rankings.
 */
export function WorkspaceResults({ analytics, ...place }: Props & Place) {
  const { campaigns, senders, datasets, members } = analytics
  return (
    <>
      <Figures analytics={analytics} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 xl:grid-cols-2">
        <Panel>
          <Days analytics={analytics} />
        </Panel>
        <Panel>
          <ReplyTimes reply_hours={analytics.reply_hours} />
        </Panel>
      </div>
      <Hours analytics={analytics} />
      <GroupTable
        {...place}
        title="Campaigns"
        groups={campaigns.map((group) => ({
          key: group.campaign_id,
          href: `/campaigns/${group.campaign_id}/results`,
          ...group,
        }))}
      />
      <GroupTable
        {...place}
        title="Mailboxes and accounts"
        groups={senders.map((group) => ({
          key: group.sender_id,
          href: group.kind === 'mailbox' ? `/mailboxes/${group.sender_id}` : `/accounts/${group.sender_id}`,
          ...group,
        }))}
      />
      <GroupTable
        {...place}
        title="Datasets"
        groups={datasets.map((group) => ({
          key: group.dataset_id,
          href: `/datasets/${group.dataset_id}`,
          ...group,
        }))}
      />
      {members.length > 1 && (
        <GroupTable
          {...place}
          title="Members, by campaign owner"
          groups={members.map((group) => ({ key: group.user_id ?? 'nobody', href: null, ...group }))}
        />
      )}
    </>
  )
}

function Figures({ analytics: { totals, previous, reply_hours, days } }: Props) {
  const before = days.length === 1 ? 'day before' : `${days.length} days before`
  const rates = [
    { label: 'Replied', rate: totals.reply_rate, earlier: previous.reply_rate, noun: 'contacted' },
    { label: 'Bounced', rate: totals.bounce_rate, earlier: previous.bounce_rate, noun: 'tried' },
  ]
  return (
    <StatRow>
      <Stat
        label="Sent"
        value={figure(totals.sent)}
        detail={`to ${counted(totals.contacted, 'leads')}; ${figure(previous.sent)} in the ${before}`}
      />
      {rates.map(({ label, rate, earlier, noun }) => (
        <Stat
          key={label}
          label={label}
          value={percent(rate.rate)}
          detail={
            <>
              {figure(rate.numerator)} of {figure(rate.denominator)} {noun}
              {earlier.rate !== null && <span className="block">{percent(earlier.rate)} before</span>}
            </>
          }
        />
      ))}
      <Stat
        label="Unsubscribed"
        value={figure(totals.unsubscribed)}
        detail={`${figure(previous.unsubscribed)} in the ${before}`}
      />
      <Stat
        label="Time to reply"
        isText
        value={reply_hours.median === null ? '–' : hoursInWords(reply_hours.median)}
        detail={
          reply_hours.p90 === null
            ? 'No replies yet'
            : `median; 9 of 10 within ${hoursInWords(reply_hours.p90)}`
        }
      />
    </StatRow>
  )
}

function Days({ analytics: { days, timezone } }: Props) {
  return (
    <PlotLine
      title="Sent and replied by day"
      summary={`A reply counts on the day of the message it answers. Days in ${timezone}.`}
      series={['sent', 'replied']}
      points={days.map(({ date, sent, replied }) => ({ label: shortDay(date), values: [sent, replied] }))}
    />
  )
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
/** With fewer sends, a single reply would change the rate too much. */
const FEWEST_SENDS = 10

function Hours({ analytics: { hours, timezone } }: Props) {
  const at = ({ weekday, hour }: (typeof hours)[number]) => `${WEEKDAYS[weekday - 1]} ${hour}:00`
  const measured = hours.filter(({ sent }) => sent >= FEWEST_SENDS)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 xl:grid-cols-2">
      <Panel>
        <PlotHeat
          title="Sends by hour of the week"
          summary={`Hours in ${timezone}.`}
          cells={hours.map((cell) => ({
            ...cell,
            value: cell.sent,
            words: `${at(cell)}: ${figure(cell.sent)} sent`,
          }))}
          inWords={figure}
        />
      </Panel>
      <Panel>
        <PlotHeat
          title="Reply rate by hour of the week"
          summary={
            measured.length > 0
              ? `By the hour of sending, where at least ${FEWEST_SENDS} messages were sent.`
              : `Appears once ${FEWEST_SENDS} messages were sent at one hour of the week.`
          }
          cells={measured.map((cell) => ({
            ...cell,
            value: cell.replied / cell.sent,
            words: `${at(cell)}: ${percent(cell.replied / cell.sent)} of ${figure(cell.sent)} sends`,
          }))}
          inWords={percent}
        />
      </Panel>
    </div>
  )
}
