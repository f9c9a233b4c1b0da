import type { PoolClient } from 'pg'
import type { z } from 'zod'
import type { ReadCampaignAnalytics } from '#lib/contracts/campaigns/campaign-analytics'
import { pool } from '#lib/db/client'
import type { LeadStatus } from '#lib/db/generated/enums'
import { inTransaction } from '#lib/db/transaction'
import {
  type ActionGroup,
  dayAnalytics,
  type EndingGroup,
  stepAnalytics,
} from '#lib/domain/analytics/campaign-analytics'
import { funnelRates, trackedRates } from '#lib/domain/analytics/campaign-rates'
import { getCampaign } from '#lib/services/campaigns/campaigns'
import { countInvitations, countMailed, countSkips } from '#lib/services/campaigns/social-results'
import { ALL_TIME, contactedSql, countLeadsIn, resolveSpan, type Span } from '#lib/services/campaigns/span'
import { countTrackedActions, countTracking } from '#lib/services/campaigns/tracking-results'

const NOT_MEASURED = {
  opens: { name: 'opened', reason: 'No step tracks opens, so they are unknown.' },
  clicks: { name: 'clicked', reason: 'No step tracks clicks, so they are unknown.' },
}

/**
 * The funnel, steps with variants, and days of one campaign, all from one snapshot. With `from` or `to`, only actions sent on those window
 * days count, together with their results, whenever those came.
 */
export async function readCampaignAnalytics(
  workspaceId: string,
  campaignId: string,
  { from, to }: z.output<typeof ReadCampaignAnalytics.query> = {},
) {
  const campaign = await getCampaign(workspaceId, campaignId)
  const isWhole = from === undefined && to === undefined
  const span = isWhole ? ALL_TIME : resolveSpan(campaign, from, to)
  const {
    leads,
    ended,
    uncertain,
    waiting,
    actions,
    endings,
    tracking,
    tracked,
    invitations,
    skips,
    mailed,
  } = await inTransaction(pool(), async (client) => {
    // One snapshot, so that no rate exceeds 100 % while mail is being sent.
    await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    // A large campaign's few thousand groups fit in memory; with the default setting they would be sorted on disk.
    await client.query("SET LOCAL work_mem = '64MB'")
    const endings = await countEndings(client, campaignId, span)
    const ended = {
      replied: sumEndings(endings, 'replied'),
      bounced: sumEndings(endings, 'bounced'),
      unsubscribed: sumEndings(endings, 'unsubscribed'),
    }
    return {
      ...(isWhole
        ? await countLeads(client, campaignId)
        : {
            leads: await countLeadsIn(client, campaignId, span, ended),
            waiting: countWaiting(await readStandings(client, campaignId)),
          }),
      ended,
      uncertain: await countUncertainLeads(client, campaignId, span),
      actions: await countActions(client, campaignId, span),
      endings,
      tracking: await countTracking(client, campaign, span),
      tracked: await countTrackedActions(client, campaignId, span),
      invitations: await countInvitations(client, campaign, span),
      skips: await countSkips(client, campaign, span),
      mailed: await countMailed(client, campaign, span),
    }
  })
  return {
    campaign_id: campaignId,
    timezone: campaign.timezone,
    from: from ?? null,
    to: to ?? null,
    leads: {
      ...leads,
      opened: tracking.opens?.people ?? null,
      clicked: tracking.clicks?.people ?? null,
      invited: invitations.people?.invited ?? null,
      accepted: invitations.people?.accepted ?? null,
      uncertain,
    },
    ...funnelRates({
      contacted: leads.contacted,
      mailed: mailed ?? leads.contacted,
      refused: sumCounts(endings.filter((group) => group.refused)),
      ...ended,
      invitations: invitations.people,
    }),
    ...trackedRates(tracking.opens, tracking.clicks),
    tracking,
    not_measured: [
      ...(tracking.opens ? [] : [NOT_MEASURED.opens]),
      ...(tracking.clicks ? [] : [NOT_MEASURED.clicks]),
    ],
    steps: stepAnalytics(campaign, actions, endings, {
      waiting,
      tracked,
      invited: invitations.groups,
      skips,
    }),
    days: dayAnalytics(campaign, actions, endings),
  }
}

const sumCounts = (groups: { count: number }[]) => groups.reduce((sum, group) => sum + group.count, 0)
const sumEndings = (groups: EndingGroup[], ending: EndingGroup['ending']) =>
  sumCounts(groups.filter((group) => group.ending === ending))

type Standing = { status: LeadStatus; step: number; count: number }

/**
 * The funnel, and how many leads wait for each step, both from the maintained counts. A contacted lead counts as contacted however it
 * ended.
 */
async function countLeads(client: PoolClient, campaignId: string) {
  const rows = await readStandings(client, campaignId)
  const { rows: left } = await client.query<{ contacted: number }>(
    `SELECT ${contactedSql('lead')} AS contacted FROM contact_counts k WHERE k.campaign_id = $1`,
    [campaignId],
  )
  const of = (...statuses: LeadStatus[]) => sumCounts(rows.filter((row) => statuses.includes(row.status)))
  const leads = {
    total: sumCounts(rows),
    contacted: left[0]?.contacted ?? 0,
    replied: of('replied'),
    bounced: of('bounced'),
    unsubscribed: of('unsubscribed'),
    failed: of('failed'),
    completed: of('completed'),
    skipped: of('skipped'),
    waiting: of('pending', 'active'),
  }
  return { leads, waiting: countWaiting(rows) }
}

/** Lead counts by status and next step, from the counts that triggers maintain. */
async function readStandings(client: PoolClient, campaignId: string): Promise<Standing[]> {
  const { rows } = await client.query<Standing>(
    'SELECT status, step, count FROM lead_counts WHERE campaign_id = $1 AND count > 0',
    [campaignId],
  )
  return rows
}

/** Leads under way, by their next step. */
function countWaiting(standings: Standing[]): Map<number, number> {
  const underWay = standings.filter(({ status }) => status === 'pending' || status === 'active')
  const steps = Map.groupBy(underWay, ({ step }) => step)
  return new Map([...steps].map(([step, groups]) => [step, sumCounts(groups)]))
}

async function countUncertainLeads(client: PoolClient, campaignId: string, span: Span): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(DISTINCT campaign_lead_id)::int AS count FROM actions
     WHERE campaign_id = $1 AND status = 'uncertain' AND performed_at >= $2 AND performed_at < $3`,
    [campaignId, span.after, span.before],
  )
  return rows[0]?.count ?? 0
}

/**
 * Actions are grouped into quarter hours, because every time zone is offset from UTC by whole quarter hours. The campaign's schedule rules,
 * the same that dispatch uses, then assign each group to a window day (DST, windows over midnight).
 */
const QUARTER = `date_bin('15 minutes', performed_at, 'epoch')`

/**
 * Outcomes of actions by step, variant and quarter hour. Actions under way count once they are done. For all time the maintained counts are
 * read; a span may begin within a quarter hour, so it is counted from the ledger.
 */
export async function countActions(
  client: PoolClient,
  campaignId: string,
  span = ALL_TIME,
): Promise<ActionGroup[]> {
  const { rows } = await (span === ALL_TIME
    ? client.query<ActionGroup>(KEPT_COUNTS, [campaignId])
    : client.query<ActionGroup>(COUNTED_ANEW, [campaignId, span.after, span.before]))
  return rows
}

/** Epoch milliseconds. Rows are read in order of time, because consecutive instants mostly share a window. */
const millis = (at: string) => `(extract(epoch FROM ${at}) * 1000)::float8 AS at`

const KEPT_COUNTS = `SELECT step, nullif(variant_label, '') AS variant_label, status, ${millis('at')}, count FROM action_counts
  WHERE campaign_id = $1 AND count > 0 ORDER BY action_counts.at`

const COUNTED_ANEW = `SELECT step, variant_label, status, ${millis('min(performed_at)')}, count(*)::int AS count FROM actions
  WHERE campaign_id = $1 AND status IN ('sent', 'uncertain', 'failed', 'skipped')
    AND performed_at >= $2 AND performed_at < $3
  GROUP BY step, variant_label, status, ${QUARTER} ORDER BY at`

/** Ended leads. Each is credited to its last action before the end, or to the refused action if its address was refused. */
export async function countEndings(
  client: PoolClient,
  campaignId: string,
  span = ALL_TIME,
): Promise<EndingGroup[]> {
  const { rows } = await client.query<EndingGroup>(
    `SELECT step, variant_label, ending::text, refused, ${millis('min(performed_at)')}, count(*)::int AS count
     FROM lead_endings WHERE campaign_id = $1 AND performed_at >= $2 AND performed_at < $3
     GROUP BY step, variant_label, ending, refused, ${QUARTER} ORDER BY at`,
    [campaignId, span.after, span.before],
  )
  return rows
}
