import type { PoolClient } from 'pg'
import { hidden, prepared } from '#lib/db/prepared'
import { windowAt } from '#lib/domain/calendar/schedule'
import { loadZone } from '#lib/domain/calendar/zoned-time'
import { clockSchedule, newDueAt } from '#lib/domain/sending/clock-groups'
import type { Lane } from '#lib/domain/sending/dispatch-state'
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

/** SQL: the person replied in another campaign, and the contact policy ends the lead for it. */
const REPLIED_ELSEWHERE = `EXISTS (SELECT 1 FROM campaign_leads replied
    WHERE replied.workspace_id = l.workspace_id AND replied.email = l.email AND replied.status = 'replied'
      AND NOT ${isBranched('b.campaign_id = l.campaign_id', 'l.email')})
  AND (SELECT w.after_reply FROM workspaces w WHERE w.workspace_id = l.workspace_id) = 'everywhere'`
/** SQL: whether the person has left, according to `away`, and the contact policy ends the lead. Costs nothing for everybody else. */
const HAS_LEFT = `CASE WHEN away.left_at IS NULL THEN false ELSE NOT ${isBranched('b.campaign_id = l.campaign_id', 'l.email', 'away.left_at')}
  AND (SELECT w.after_reply FROM workspaces w WHERE w.workspace_id = l.workspace_id) = 'everywhere' END`
const LEAD = `l.campaign_lead_id, l.lead_index, l.email, l.person_id, l.next_step, l.next_action_at AS due_at, l.mailbox_id,
  l.connected_account_id, l.social_profile, l.social_problem, l.social_provider_id, l.thread_message_id, l.thread_subject, l.timezone, r.data, l.status = 'pending' AS is_new, l.reason,
  coalesce(l.next_action_at = l.put_off_until AND l.reason IN ('person_busy', 'company_busy'), false) AS is_asleep,
  (SELECT p.company_id FROM people p WHERE p.person_id = l.person_id AND p.workspace_id = l.workspace_id) AS company_id,
  ${mayHaveBegun('l')} AND ${HAS_BEGUN} AS has_begun,
  EXISTS (SELECT 1 FROM effective_suppressions s WHERE s.workspace_id = l.workspace_id
    AND s.value IN (l.email, '@' || split_part(l.email, '@', 2))) AS suppressed,
  away.until AS away_until, ${HAS_LEFT} AS has_left,
  ${REPLIED_ELSEWHERE} AS replied_elsewhere`
/**
 * A lateral subquery per lead. With a plain join the planner, which assumes an unknown LIMIT returns a tenth
 * of the queue, would read every suppression list.
 */
const ROW = `CROSS JOIN LATERAL (SELECT r.data FROM dataset_rows r
       WHERE r.dataset_id = l.dataset_id AND r.lead_index = l.lead_index LIMIT 1) r
     LEFT JOIN LATERAL (SELECT b.until, b.left_at FROM absences b
       WHERE b.workspace_id = l.workspace_id AND b.email = l.email LIMIT 1) away ON true`

/** `first`: SQL for what sorts before the queue's order, when several clocks are merged. */
type Queue = { where: string; order: string; most: string; first?: string }

/** SQL: the head of a queue. */
const head = ({ where, order, most }: Queue) =>
  `SELECT * FROM campaign_leads WHERE campaign_id = $1 AND ${where} ORDER BY ${order} LIMIT ${most}`
/** The same for each clock that is in a window, one index scan per clock. */
const headOfEach = ({ where, ...queue }: Queue) =>
  `SELECT q.* FROM unnest($8::text[]) clock (timezone) CROSS JOIN LATERAL (
       ${head({ ...queue, where: `${where} AND timezone = clock.timezone` })}) q`
const headByClock = (queue: Queue) =>
  `${headOfEach(queue)} ORDER BY ${queue.first ?? ''} ${queue.order} LIMIT ${queue.most}`

/**
 * The due leads of a lane and the first that is not due, which says when to look again. Ordered by the sender too, though it is the
 * same for all: without it Postgres sorts the whole lane of leads that have none.
 */
const laneSql = (sender: string, headOf: typeof head, firstOf: typeof head) => {
  const lane = `status = 'active' AND next_action_at IS NOT NULL AND next_action_type = lane.action_type AND next_sender_id ${sender}`
  const order = 'next_sender_id, next_action_at, lead_index'
  const due = { where: `${lane} AND next_action_at <= $7`, order, most: hidden('$4::int') }
  const next = { where: `${lane} AND next_action_at > $7`, order, most: '1' }
  return `(${headOf(due)}) UNION ALL (${firstOf(next)})`
}
const queuesSql = (headOf: typeof head, firstOf: typeof head) => `SELECT ${LEAD} FROM (
       SELECT l.* FROM unnest($2::text[], $3::uuid[]) lane (action_type, sender_id) CROSS JOIN LATERAL (
         ${laneSql('= lane.sender_id', headOf, firstOf)}) l
       UNION ALL
       SELECT l.* FROM unnest($5::text[]) lane (action_type) CROSS JOIN LATERAL (
         ${laneSql('IS NULL', headOf, firstOf)}) l
       UNION ALL
       SELECT l.* FROM (${headOf(FRESH)}) l
     ) l ${ROW}`
/** New leads whose clock makes them due come first; leads on other clocks cannot go yet, even if they are earlier in the list. */
const FRESH = {
  where: `status = 'pending'`,
  order: 'lead_index',
  most: hidden('$6::int'),
  first: 'q.timezone <> ALL ($9::text[]),',
}
const QUEUES = { all: queuesSql(head, head), by_clock: queuesSql(headByClock, headOfEach) }

/** How many leads are loaded at most: due ones per lane, and new ones. */
export type LoadCaps = { lane: number; fresh: number }

/**
 * The heads of the queues at `now`: per lane the due leads by due time and the first that is not due, and the first new leads. If
 * leads follow their own clocks, only clocks in a window at `now` are loaded, and due new leads before the others.
 */
export async function loadLeads(
  client: PoolClient,
  campaign: DueCampaign,
  senders: Sender[],
  caps: LoadCaps,
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
      caps.lane,
      types,
      campaign.status === 'draining' ? 0 : caps.fresh,
      now,
      ...open,
    ]),
  )
  const newLeads = rows
    .filter((lead) => lead.is_new)
    .toSorted((one, other) => one.lead_index - other.lead_index)
  const isCut = newLeads.length >= caps.fresh
  const allDueLoaded =
    clocks !== null && newLeads.some(({ timezone }) => !clocks.due.includes(timezone ?? ''))
  const { followUps, full } = cutLanes(campaign, rows, caps, now)
  return {
    followUps,
    newLeads,
    cut: {
      new_leads: isCut && allDueLoaded ? 'later' : isCut,
      lanes: lanes.filter((lane) => full.has(laneKey(lane))),
    },
    clocks,
  }
}

const laneKey = (lane: Lane) => `${lane.action_type} ${lane.sender_id}`

/** Follow-ups, and the lanes whose due leads were not all loaded; for those, the first lead that is not due is unknown. */
function cutLanes(campaign: DueCampaign, rows: WaitingLead[], caps: LoadCaps, now: Date) {
  const followUps = rows.filter((lead) => !lead.is_new)
  const toKey = (lead: WaitingLead) =>
    laneKey({
      action_type: campaign.steps_config[lead.next_step - 1]?.action_type ?? '',
      sender_id: waitingSender(lead, campaign),
    })
  const due = new Map<string, number>()
  for (const lead of followUps) if (lead.due_at <= now) due.set(toKey(lead), (due.get(toKey(lead)) ?? 0) + 1)
  const full = new Set([...due].flatMap(([key, count]) => (count >= caps.lane ? [key] : [])))
  return { followUps: followUps.filter((lead) => lead.due_at <= now || !full.has(toKey(lead))), full }
}

/** The sender whose queue a lead waits in. */
export function waitingSender(
  lead: Pick<WaitingLead, 'next_step' | 'mailbox_id' | 'connected_account_id'>,
  campaign: DueCampaign,
) {
  const channel = campaign.steps_config[lead.next_step - 1]?.channel
  return channel === 'social' ? lead.connected_account_id : lead.mailbox_id
}

const ZONES = waitingZonesSql('$1')

/**
 * The clocks of a campaign's leads, by whether they are in a window at `now`, and the open ones by which new leads are due. Null if
 * all leads follow the campaign's clock.
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
