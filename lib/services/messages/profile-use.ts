import { z } from 'zod'
import { StepConfig } from '#lib/contracts/campaigns/steps'
import type { SenderProfileUse } from '#lib/contracts/messages/profile-use'
import { db, pool } from '#lib/db/client'
import { formatDay, loadZone, startOfDay, toDay } from '#lib/domain/calendar/zoned-time'
import { profileSteps } from '#lib/domain/campaigns/profile-steps'
import { type Who, withName } from '#lib/domain/leads/person-name'
import { AppError } from '#lib/errors'

const DAYS = 30
/** Only the newest campaigns are examined, and only the first of those that use the profile are listed. */
const MOST_READ = 500
const MOST_CAMPAIGNS = 50
const MOST_SENDERS = 10
const RECENT = 10

/** Which campaigns write with a sender profile, and their results in the last 30 days. */
export async function profileUse(workspace_id: string, id: string, now: Date) {
  const profile = await db.senderProfile.findFirst({
    where: { id, workspace_id },
    select: { id: true, is_default: true, workspace: { select: { timezone: true } } },
  })
  if (!profile) throw new AppError('sender_profile_not_found')
  const { timezone } = profile.workspace
  const zone = loadZone(timezone)
  const first = toDay(zone, now.getTime()) - DAYS + 1
  const since = new Date(startOfDay(zone, first))
  const { campaigns, left_out } = await listUsing(workspace_id, profile)
  const [counts, senders, recent, runs] = await Promise.all([
    readCounts(workspace_id, campaigns, { since, timezone }),
    readSenders(workspace_id, campaigns, formatDay(first)),
    readRecent(workspace_id, campaigns, since, now),
    db.personalizationRun.count({ where: { workspace_id, sender_profile_id: id } }),
  ])
  return {
    timezone,
    total: sum(counts),
    days: Array.from({ length: DAYS }, (_, index) => {
      const date = formatDay(first + index)
      return { date, ...sum(counts.filter((one) => one.date === date)) }
    }),
    campaigns: campaigns.map(({ steps, ...campaign }) => ({
      ...campaign,
      steps: steps.map(({ step }) => step),
      ...sum(counts.filter(({ campaign_id }) => campaign_id === campaign.campaign_id)),
    })),
    campaigns_left_out: left_out,
    runs,
    senders,
    recent,
  }
}

type Using = Awaited<ReturnType<typeof listUsing>>['campaigns']
type Count = { date: string; campaign_id: string; sent: number; replied: number }

const sum = (counts: Count[]) => ({
  sent: counts.reduce((total, { sent }) => total + sent, 0),
  replied: counts.reduce((total, { replied }) => total + replied, 0),
})

const Steps = z.array(StepConfig)
const RUNNING = ['active', 'draining', 'launching', 'scheduled']

async function listUsing(workspace_id: string, profile: { id: string; is_default: boolean }) {
  const rows = await db.campaign.findMany({
    where: { workspace_id },
    orderBy: [{ created_at: 'desc' }, { campaign_id: 'desc' }],
    take: MOST_READ,
  })
  const using = rows.flatMap(({ campaign_id, name, status, steps_config, next_slot_at }) => {
    const steps = profileSteps(Steps.parse(steps_config), profile)
    return steps.length > 0 ? [{ campaign_id, name, status, next_slot_at, steps }] : []
  })
  const isOver = ({ status }: { status: string }) => Number(!RUNNING.includes(status))
  const ordered = using.toSorted((one, other) => isOver(one) - isOver(other))
  return {
    campaigns: ordered.slice(0, MOST_CAMPAIGNS),
    left_out: Math.max(0, using.length - MOST_CAMPAIGNS),
  }
}

/** The campaigns' steps and variants as parallel arrays for SQL. */
function places(campaigns: Using) {
  const all = campaigns.flatMap(({ campaign_id, steps }) =>
    steps.flatMap(({ step, labels }) => labels.map((label) => ({ campaign_id, step, label }))),
  )
  return [
    all.map(({ campaign_id }) => campaign_id),
    all.map(({ step }) => step),
    all.map(({ label }) => label),
  ] as const
}

const USED =
  'used AS (SELECT * FROM unnest($2::uuid[], $3::int[], $4::text[]) AS u (campaign_id, step, variant_label))'

async function readCounts(
  workspaceId: string,
  campaigns: Using,
  { since, timezone }: { since: Date; timezone: string },
): Promise<Count[]> {
  const { rows } = await pool().query<Count>(
    `WITH ${USED}, happened AS (
       SELECT n.quarter AS at, campaign_id, n.count AS sent, 0 AS replied FROM used JOIN action_counts n USING (campaign_id, step, variant_label)
       WHERE n.workspace_id = $1 AND n.quarter >= $5 AND n.status IN ('sent', 'uncertain')
       UNION ALL
       SELECT e.ended_at, campaign_id, 0, 1 FROM used JOIN lead_endings e USING (campaign_id, step)
       WHERE e.workspace_id = $1 AND e.ended_at >= $5 AND e.ending = 'replied' AND coalesce(e.variant_label, '') = used.variant_label)
     SELECT to_char(at AT TIME ZONE $6, 'YYYY-MM-DD') AS date, campaign_id, sum(sent)::int AS sent, sum(replied)::int AS replied
     FROM happened GROUP BY 1, 2`,
    [workspaceId, ...places(campaigns), since, timezone],
  )
  return rows
}

async function readSenders(workspaceId: string, campaigns: Using, since: string) {
  const { rows } = await pool().query<SenderProfileUse['senders'][number]>(
    `SELECT s.sender_id, s.kind, coalesce(m.address, a.name) AS name, s.last_day FROM (
       SELECT sender_id, kind, to_char(max(day), 'YYYY-MM-DD') AS last_day FROM contact_counts
       WHERE workspace_id = $1 AND campaign_id = ANY ($2::uuid[]) AND day >= $3::date AND kind IN ('mailbox', 'account')
       GROUP BY 1, 2) s
     LEFT JOIN mailboxes m ON m.mailbox_id = s.sender_id LEFT JOIN connected_accounts a ON a.account_id = s.sender_id
     WHERE coalesce(m.address, a.name) IS NOT NULL ORDER BY s.last_day DESC, name LIMIT $4`,
    [workspaceId, campaigns.map(({ campaign_id }) => campaign_id), since, MOST_SENDERS],
  )
  return rows
}

type Recent = Omit<SenderProfileUse['recent'][number], 'at' | 'name' | 'campaign_name'> & Who & { at: Date }

/** The latest items; of each campaign its newest, by index. */
async function readRecent(workspaceId: string, campaigns: Using, since: Date, now: Date) {
  const names = new Map(campaigns.map(({ campaign_id, name }) => [campaign_id, name]))
  const { rows } = await pool().query<Recent>(
    `WITH ${USED}, newest AS (
       SELECT a.* FROM (SELECT DISTINCT campaign_id FROM used) c CROSS JOIN LATERAL (
         SELECT action_id, performed_at AS at, campaign_id, campaign_lead_id, step, channel, action_type, subject FROM actions
         WHERE campaign_id = c.campaign_id AND workspace_id = $1 AND performed_at BETWEEN $5 AND $6 AND status = 'sent'
           AND EXISTS (SELECT 1 FROM used WHERE used.campaign_id = actions.campaign_id AND used.step = actions.step
             AND used.variant_label = coalesce(actions.variant_label, ''))
         ORDER BY performed_at DESC, action_id DESC LIMIT $7) a
       ORDER BY a.at DESC, a.action_id DESC LIMIT $7)
     SELECT n.*, coalesce(l.email, p.email) AS email, p.profile, p.first_name, p.last_name
     FROM newest n LEFT JOIN campaign_leads l USING (campaign_lead_id) LEFT JOIN people p USING (person_id)
     ORDER BY n.at DESC, n.action_id DESC`,
    [workspaceId, ...places(campaigns), since, now, RECENT],
  )
  return rows.map((row) => ({ ...withName(row), campaign_name: names.get(row.campaign_id) ?? '' }))
}
