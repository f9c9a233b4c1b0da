import type { PoolClient } from 'pg'
import { hidden, prepared } from '#lib/db/prepared'
import { windowAt } from '#lib/domain/calendar/schedule'
import { loadZone } from '#lib/domain/calendar/zoned-time'
import { clockSchedule, newDueAt } from '#lib/domain/sending/clock-groups'
import type { Sender } from '#lib/domain/sending/sender-limits'
import { HAS_BEGUN, mayHaveBegun } from '#lib/services/leads/begun'
import { isBranched } from '#lib/services/leads/enrolment-rule'
import { waitingZonesSql } from '#lib/services/leads/rows/clocks'
import {
  campaignRules,
  type DueCampaign,
  type LeadClocks,
  type WaitingLead,
  type WaitingLeads,
} from '#lib/services/sending/load'

/** The person replied in another campaign, and the contact policy of the workspace ends them for it. */
const REPLIED_ELSEWHERE = `EXISTS (SELECT 1 FROM campaign_leads replied
    WHERE replied.workspace_id = l.workspace_id AND replied.email = l.email AND replied.status = 'replied'
      AND NOT ${isBranched('b.campaign_id = l.campaign_id', 'l.email')})
  AND (SELECT w.after_reply FROM workspaces w WHERE w.workspace_id = l.workspace_id) = 'everywhere'`
const LEAD = `l.campaign_lead_id, l.lead_index, l.email, l.person_id, l.next_step, l.next_action_at AS due_at, l.mailbox_id,
  l.connected_account_id, l.social_profile, l.social_problem, l.social_provider_id, l.thread_message_id, l.thread_subject, l.timezone, r.data, l.status = 'pending' AS is_new, l.reason,
  coalesce(l.next_action_at = l.put_off_until AND l.reason IN ('person_busy', 'company_busy'), false) AS is_asleep,
  (SELECT p.company_id FROM people p WHERE p.person_id = l.person_id AND p.workspace_id = l.workspace_id) AS company_id,
  ${mayHaveBegun('l')} AND ${HAS_BEGUN} AS has_begun,
  EXISTS (SELECT 1 FROM effective_suppressions s WHERE s.workspace_id = l.workspace_id
    AND s.value IN (l.email, '@' || split_part(l.email, '@', 2))) AS suppressed,
  (SELECT b.until FROM absences b WHERE b.workspace_id = l.workspace_id AND b.email = l.email) AS away_until,
  ${REPLIED_ELSEWHERE} AS replied_elsewhere`
/** One by one: taken for a thousand leads, as an unknown cap is, a join would read all rows of all lists for each claim. */
const ROW = `CROSS JOIN LATERAL (SELECT r.data FROM dataset_rows r
       WHERE r.dataset_id = l.dataset_id AND r.lead_index = l.lead_index LIMIT 1) r`

/** `first`: SQL for what goes before the order, where clocks are put together. */
type Queue = { where: string; order: string; most: string; first?: string }

/** SQL: the head of a queue. */
const head = ({ where, order, most }: Queue) =>
  `SELECT * FROM campaign_leads WHERE campaign_id = $1 AND ${where} ORDER BY ${order} LIMIT ${most}`
/** The same of the leads that live by one of the `clocks`, each by its index. */
const headByClock =
  (clocks: string) =>
  ({ where, order, most, first = '' }: Queue) =>
    `SELECT q.* FROM unnest(${clocks}::text[]) clock (timezone) CROSS JOIN LATERAL (
       ${head({ where: `${where} AND timezone = clock.timezone`, order, most })}) q ORDER BY ${first} ${order} LIMIT ${most}`

const laneSql = (sender: string): Queue => ({
  where: `status = 'active' AND next_action_at IS NOT NULL AND next_action_type = lane.action_type AND next_sender_id ${sender}`,
  order: 'next_action_at, lead_index',
  most: hidden('$4::int'),
})
const queuesSql = (headOf: typeof head) => `SELECT ${LEAD} FROM (
       SELECT l.* FROM unnest($2::text[], $3::uuid[]) lane (action_type, sender_id) CROSS JOIN LATERAL (
         ${headOf(laneSql('= lane.sender_id'))}) l
       UNION ALL
       SELECT l.* FROM unnest($5::text[]) lane (action_type) CROSS JOIN LATERAL (
         ${headOf(laneSql('IS NULL'))}) l
       UNION ALL
       SELECT l.* FROM (${headOf(FRESH)}) l
     ) l ${ROW}`
/** New leads by the clocks by which they are due come first: those of the others, though before them in the list, do not go yet. */
const FRESH = {
  where: `status = 'pending'`,
  order: 'lead_index',
  most: hidden('$6::int'),
  first: 'q.timezone <> ALL ($8::text[]),',
}
const QUEUES = { all: queuesSql(head), by_clock: queuesSql(headByClock('$7')) }

/**
 * The heads of the queues: of each lane the first `cap` by due time, and the first `cap` new leads. Where leads keep their own
 * clocks, of those only whose clock stands in a window at `now`, and new leads that are due before those that are not.
 */
export async function loadLeads(
  client: PoolClient,
  campaign: DueCampaign,
  senders: Sender[],
  cap: number,
  now: Date,
): Promise<WaitingLeads> {
  const types = [...new Set(campaign.steps_config.map((step) => step.action_type))]
  const lanes = types.flatMap((action_type) => [
    { action_type, sender_id: null },
    ...senders.map(({ sender_id }) => ({ action_type, sender_id })),
  ])
  const clocks = await loadClocks(client, campaign, now)
  const sql = clocks ? 'by_clock' : 'all'
  const open = clocks ? [clocks.open, clocks.due] : []
  const { rows } = await client.query<WaitingLead>(
    prepared(QUEUES[sql], [
      campaign.campaign_id,
      lanes.filter((lane) => lane.sender_id).map((lane) => lane.action_type),
      lanes.flatMap((lane) => lane.sender_id ?? []),
      cap,
      types,
      campaign.status === 'draining' ? 0 : cap,
      ...open,
    ]),
  )
  const followUps = rows.filter((lead) => !lead.is_new)
  const newLeads = rows
    .filter((lead) => lead.is_new)
    .toSorted((one, other) => one.lead_index - other.lead_index)
  const isLaneFor = (lead: WaitingLead, sender_id: string | null) => (lane: (typeof lanes)[number]) =>
    lane.sender_id === sender_id &&
    lane.action_type === campaign.steps_config[lead.next_step - 1]?.action_type
  const full = lanes.filter(
    (lane) => followUps.filter((lead) => isLaneFor(lead, waitingSender(lead, campaign))(lane)).length >= cap,
  )
  const isCut = newLeads.length >= cap
  const allDueLoaded =
    clocks !== null && newLeads.some(({ timezone }) => !clocks.due.includes(timezone ?? ''))
  return {
    followUps,
    newLeads,
    cut: { new_leads: isCut && allDueLoaded ? 'later' : isCut, lanes: full },
    clocks,
  }
}

/** The sender whose queue a lead stands in. */
export function waitingSender(
  lead: Pick<WaitingLead, 'next_step' | 'mailbox_id' | 'connected_account_id'>,
  campaign: DueCampaign,
) {
  const channel = campaign.steps_config[lead.next_step - 1]?.channel
  return channel === 'social' ? lead.connected_account_id : lead.mailbox_id
}

const ZONES = waitingZonesSql('$1')

/**
 * The clocks of a campaign's leads, by whether they stand in a window at `now`, and of the open ones those by which new leads are due;
 * null where the campaign's counts.
 */
async function loadClocks(
  client: PoolClient,
  campaign: DueCampaign,
  now: Date,
): Promise<(LeadClocks & { due: string[] }) | null> {
  if (campaign.schedule_timezone !== 'lead') return null
  const { rows } = await client.query<{ timezone: string }>(prepared(ZONES, [campaign.campaign_id]))
  const zones = rows.map(({ timezone }) => timezone).sort()
  const rules = await campaignRules(campaign)
  const isOpen = (timezone: string) => windowAt(clockSchedule(rules, timezone), now.getTime()) !== null
  const open = zones.filter(isOpen)
  const due = open.filter((timezone) => newDueAt(rules, loadZone(timezone)) <= now.getTime())
  return { open, closed: zones.filter((timezone) => !isOpen(timezone)), due }
}
