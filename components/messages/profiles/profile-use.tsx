import { CampaignStatus } from '#components/campaigns/campaign-status'
import { ACTION_DONE } from '#components/senders/labels'
import { Link } from '#components/ui/controls/link'
import { Stat, StatRow } from '#components/ui/feedback/stat'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import { PlotBar } from '#components/ui/plots/plot-bar'
import { RelativeTime } from '#components/ui/relative-time'
import type { SenderProfileUse } from '#lib/contracts/messages/profile-use'
import { shortDay } from '../../ui/plots/short-day.ts'

type Props = { use: SenderProfileUse; now: string }

const RUNNING = ['active', 'draining']

const rate = (replied: number, sent: number) =>
  sent === 0 ? 'nothing sent yet' : `${((100 * replied) / sent).toFixed(1)} % of messages sent`

/** How the profile is used: its campaigns, a month of results, and recent recipients. */
export function ProfileUse({ use, now }: Props) {
  const { total, days, timezone } = use
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">
      <Figures use={use} now={now} />
      <Panel>
        <PlotBar
          title="Last 30 days"
          summary={`${total.sent.toLocaleString('en')} sent as this profile. Days in ${timezone}.`}
          series={['sent']}
          points={days.map(({ date, sent }) => ({ label: shortDay(date), values: [sent] }))}
        />
      </Panel>
      <Campaigns use={use} now={now} />
      <Recent use={use} now={now} />
    </div>
  )
}

function Figures({ use: { total, days, campaigns, timezone }, now }: Props) {
  const running = campaigns.filter(({ status }) => RUNNING.includes(status))
  const [next] = running.flatMap(({ next_slot_at }) => next_slot_at ?? []).toSorted()
  return (
    <StatRow>
      <Stat
        label="Sent today"
        value={(days.at(-1)?.sent ?? 0).toLocaleString('en')}
        detail={`${total.sent.toLocaleString('en')} in 30 days`}
      />
      <Stat
        label="Replied in 30 days"
        value={total.replied.toLocaleString('en')}
        detail={rate(total.replied, total.sent)}
      />
      <Stat
        label="Running campaigns"
        value={running.length.toLocaleString('en')}
        detail={`${campaigns.length.toLocaleString('en')} use it`}
      />
      <Stat
        label="Next message"
        isText
        value={next ? <RelativeTime at={next} now={now} zone={timezone} /> : '–'}
        detail={next ? 'At the earliest' : 'Nothing is due'}
      />
    </StatRow>
  )
}

function Campaigns({ use: { campaigns, campaigns_left_out, timezone }, now }: Props) {
  if (campaigns.length === 0)
    return (
      <Panel title="Campaigns">
        <p className="text-sm text-muted">
          No campaign uses it yet. Choose it in a step of a sequence, under the text.
        </p>
      </Panel>
    )
  return (
    <Panel
      title="Campaigns"
      description={campaigns_left_out > 0 ? `And ${campaigns_left_out} more` : undefined}
      flush
    >
      <Table caption="Campaigns that use this profile">
        <thead>
          <tr>
            <Th>Campaign</Th>
            <Th>Steps</Th>
            <Th numeric>Sent</Th>
            <Th numeric>Replied</Th>
            <Th>Next message</Th>
          </tr>
        </thead>
        <tbody>
          {campaigns.map(({ campaign_id, name, status, steps, sent, replied, next_slot_at }) => (
            <Tr key={campaign_id}>
              <Td lead>
                <span className="flex flex-wrap items-center gap-2">
                  <Link
                    href={`/campaigns/${campaign_id}`}
                    data-row-link
                    className="rounded-xs font-medium wrap-anywhere hover:underline"
                  >
                    {name}
                  </Link>
                  <CampaignStatus status={status} />
                </span>
              </Td>
              <Td label="Steps">{steps.join(', ')}</Td>
              <Td label="Sent" numeric>
                {sent.toLocaleString('en')}
              </Td>
              <Td label="Replied" numeric>
                {replied.toLocaleString('en')}
              </Td>
              <Td label="Next message">
                {next_slot_at && RUNNING.includes(status) ? (
                  <RelativeTime at={next_slot_at} now={now} zone={timezone} />
                ) : (
                  '–'
                )}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  )
}

function Recent({ use: { recent, timezone }, now }: Props) {
  return (
    <Panel title="Latest messages" flush={recent.length > 0}>
      {recent.length === 0 && (
        <p className="text-sm text-muted">Messages sent as this profile will be listed here.</p>
      )}
      <ol>
        {recent.map((one) => (
          <li
            key={one.action_id}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-3 border-b border-border px-4 py-2 text-sm last:border-0"
          >
            <span className="min-w-0 truncate">
              <Link
                href={`/campaigns/${one.campaign_id}/leads?lead=${one.campaign_lead_id}`}
                prefetch={false}
                className="rounded-xs font-medium hover:underline"
              >
                {one.name}
              </Link>
              {' · '}
              {one.subject ?? ACTION_DONE[one.action_type] ?? 'Email'}
              <span className="text-muted">
                {' '}
                · {one.campaign_name}, step {one.step}
              </span>
            </span>
            <span className="text-xs text-muted">
              <RelativeTime at={one.at} now={now} zone={timezone} />
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  )
}
