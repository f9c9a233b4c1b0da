import { db } from '#lib/db/client'
import { pausedText } from '#lib/domain/campaigns/pause-reasons'
import { typedCampaign } from '#lib/services/campaigns/campaigns'
import { readFirstSteps, readNextSteps } from '#lib/services/campaigns/first-steps'

const HOUR_MS = 3_600_000
const DAY_HOURS = 24

/** Messages that left in each of the 24 hours before `now`, the oldest hour first. */
async function sentPerHour(workspaceId: string, now: Date): Promise<{ from: Date; sent: number }[]> {
  const since = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS - (DAY_HOURS - 1) * HOUR_MS)
  // Joined by campaign, because that is how the ledger is indexed.
  const rows = await db.$queryRaw<{ hour: number; sent: number }[]>`
    SELECT floor(extract(epoch FROM a.performed_at - ${since}::timestamptz) / 3600)::int AS hour, count(*)::int AS sent
    FROM campaigns c JOIN actions a ON a.campaign_id = c.campaign_id AND a.performed_at >= ${since}
    WHERE c.workspace_id = ${workspaceId}::uuid AND a.status IN ('sent', 'uncertain') AND a.performed_at <= ${now}
    GROUP BY 1`
  const counts = new Map(rows.map((row) => [row.hour, row.sent]))
  return Array.from({ length: DAY_HOURS }, (_, hour) => ({
    from: new Date(since.getTime() + hour * HOUR_MS),
    sent: counts.get(hour) ?? 0,
  }))
}

const named = { campaign_id: true, name: true } as const

/** Problems that need the owner's action: for each kind the newest ten of the things concerned. */
async function problems(workspaceId: string) {
  const owned = { workspace_id: workspaceId }
  const newest = { orderBy: { updated_at: 'desc' as const }, take: 10 }
  const [failed, halted, uncertain, failing, unread, accounts, posts, imports, domains] = await Promise.all([
    db.campaign.findMany({
      where: { ...owned, status: 'failed' },
      select: { ...named, launch_error: true },
      ...newest,
    }),
    db.campaign.findMany({
      where: { ...owned, status: 'paused', NOT: { paused_reason: 'user' } },
      select: { ...named, paused_reason: true },
      ...newest,
    }),
    db.campaign.findMany({
      where: { ...owned, uncertain_count: { gt: 0 } },
      select: { ...named, uncertain_count: true },
      ...newest,
    }),
    db.mailbox.findMany({
      where: { ...owned, status: 'failing' },
      select: { mailbox_id: true, address: true, last_error: true },
      ...newest,
    }),
    db.mailbox.findMany({
      where: { ...owned, inbox_error: { not: null } },
      select: { mailbox_id: true, address: true, inbox_error: true },
      ...newest,
    }),
    db.connectedAccount.findMany({
      where: { ...owned, NOT: { status: 'connected' } },
      select: { account_id: true, name: true, provider: true, status: true, status_reason: true },
      ...newest,
    }),
    db.socialPost.findMany({
      where: { ...owned, OR: [{ status: 'failed' }, { uncertain: true }] },
      select: { id: true, text: true, uncertain: true, last_error: true },
      ...newest,
    }),
    db.dataset.findMany({
      where: { ...owned, row_count: 0, sessions: { some: { status: 'failed' } } },
      select: { dataset_id: true, dataset_name: true },
      ...newest,
    }),
    db.mailDomain.findMany({
      where: { ...owned, OR: [{ status: 'failed' }, { failing_since: { not: null } }] },
      select: { domain_id: true, domain: true, status: true },
      ...newest,
    }),
  ])
  const paused = halted.map((row) => ({ ...row, why: pausedText(row.paused_reason) }))
  return { failed, halted: paused, uncertain, failing, unread, accounts, posts, imports, domains }
}

/** Replies, bounces and unsubscribes of the last 24 hours. */
async function endingsSince(workspaceId: string, since: Date) {
  // By workspace and time, to use the index.
  const rows = await db.$queryRaw<{ status: 'replied' | 'bounced' | 'unsubscribed'; count: number }[]>`
    SELECT status::text, count(*)::int AS count FROM campaign_leads
    WHERE workspace_id = ${workspaceId}::uuid AND last_event_at >= ${since} AND status IN ('replied', 'bounced', 'unsubscribed')
    GROUP BY status`
  const counts = new Map(rows.map(({ status, count }) => [status, count]))
  return {
    replied: counts.get('replied') ?? 0,
    bounced: counts.get('bounced') ?? 0,
    unsubscribed: counts.get('unsubscribed') ?? 0,
  }
}

/** The owner's day at a glance. */
export async function readHome(workspaceId: string, now: Date) {
  const since = new Date(now.getTime() - DAY_HOURS * HOUR_MS)
  const [hours, endings, trouble, steps, next, running, draft] = await Promise.all([
    sentPerHour(workspaceId, now),
    endingsSince(workspaceId, since),
    problems(workspaceId),
    readFirstSteps(workspaceId),
    readNextSteps(workspaceId, now),
    db.campaign.findMany({
      where: { workspace_id: workspaceId, status: { in: ['active', 'draining', 'launching', 'scheduled'] } },
      orderBy: [{ next_slot_at: { sort: 'asc', nulls: 'last' } }, { created_at: 'desc' }],
      take: 8,
    }),
    db.campaign.findFirst({
      where: { workspace_id: workspaceId, status: 'draft' },
      orderBy: { updated_at: 'desc' },
      select: named,
    }),
  ])
  return {
    hours,
    endings,
    problems: trouble,
    first_steps: steps,
    next_steps: next,
    running: running.map(typedCampaign),
    draft,
  }
}
