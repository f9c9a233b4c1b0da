import type { PoolClient } from 'pg'
import { pool } from '#lib/db/client'
import { jsonText } from '#lib/db/json-text'
import { prepared } from '#lib/db/prepared'
import { withEachKey } from '#lib/db/seal'
import { inTransaction, withKeptPlans } from '#lib/db/transaction'
import {
  classifyBurst,
  classifyHit,
  type Hit,
  type TrackingClass,
} from '#lib/domain/analytics/tracking-class'
import { readClickToken, readOpenToken } from '#lib/domain/tokens/tracking-token'
import { createCollector } from '#lib/services/instance/collector'
import { tell } from '#lib/services/telling/tell'

/** What is known about a request to a tracked link or image. Network addresses are not stored. */
export type Visit = { method: string; user_agent: string | null; purpose: string | null }

/** Where a tracked link leads and what it belongs to; null for a token that is not ours. */
export const trackedLink = (token: string) => withEachKey('tracking', (key) => readClickToken(token, key))

/** The action of a tracked image; null for a token that is not ours. */
export const trackedImage = (token: string) => withEachKey('tracking', (key) => readOpenToken(token, key))

/** Most visits stored per action and kind; more would tell nothing new. */
const MOST_HITS = 1_000

type What = { action_id: string; kind: Hit['kind']; link: number; url: string | null }

/**
 * Stores an open or a click with its class. Does nothing for actions that do not exist: previews, test messages, deleted campaigns.
 * Returns whether webhooks are to be told; of opens that are stored together, one says so for all. Clicks that turn out to be part of
 * a burst are all reclassified as a scanner's.
 */
export async function recordHit(what: What, visit: Visit, now: Date): Promise<{ is_told: boolean }> {
  if (what.kind === 'click')
    return { is_told: await inTransaction(pool(), (client) => recordClick(client, what, visit, now)) }
  const open: Open = { what, visit, now, is_told: false }
  await opens.add(open)
  return { is_told: open.is_told }
}

type Open = { what: What; visit: Visit; now: Date; is_told: boolean }

/**
 * Opens are the most frequent requests, and each would hold a connection until the disk has its commit. Stored together they need one
 * connection; singly, a slow disk would leave none for pages.
 */
const opens = createCollector<Open>((group) => withKeptPlans(pool(), (client) => recordOpens(client, group)))

async function recordOpens(client: PoolClient, group: readonly Open[]): Promise<void> {
  const ids = group.map(({ what }) => what.action_id)
  const { rows } = await client.query<{ action_id: string; at: Date }>(
    prepared(
      `SELECT action_id, ${SENT_AT} AS at FROM actions WHERE ${IS_SENT} AND action_id = ANY ($1::uuid[])`,
      [ids],
    ),
  )
  const sentAt = new Map(rows.map(({ action_id, at }) => [action_id, at.getTime()]))
  const visits = group.flatMap(({ what, visit, now }) => {
    const sent_at = sentAt.get(what.action_id)
    if (sent_at === undefined) return []
    return [toRow(what, { ...what, ...visit, at: now.getTime(), sent_at, clicks: [] })]
  })
  const [first] = group
  if (first && visits.length > 0) first.is_told = await storeVisits(client, visits)
}

async function recordClick(client: PoolClient, what: What, visit: Visit, now: Date): Promise<boolean> {
  const sent_at = await lockSent(client, what.action_id)
  if (sent_at === null) return false
  const hit: Hit = { ...what, ...visit, at: now.getTime(), sent_at, clicks: await loadClicks(client, what) }
  const burst = classifyBurst(hit)
  if (burst) await blameScanner(client, what.action_id, burst, classifyHit(hit).evidence, now)
  return storeVisits(client, [toRow(what, hit)])
}

const SENT_AT = 'coalesce(recorded_at, performed_at)'
const IS_SENT = `status IN ('sending', 'sent', 'uncertain')`

/** Locks an action and reads when it was sent. Clicks of one burst arrive together, and each must see those before it. */
async function lockSent(client: PoolClient, actionId: string): Promise<number | null> {
  const { rows } = await client.query<{ at: Date }>(
    prepared(
      `SELECT ${SENT_AT} AS at, pg_advisory_xact_lock(hashtextextended($2, 0)) FROM actions
       WHERE action_id = $1 AND ${IS_SENT}`,
      [actionId, actionId],
    ),
  )
  return rows[0]?.at.getTime() ?? null
}

async function loadClicks(client: PoolClient, { action_id }: What) {
  const { rows } = await client.query<{ link: number; at: Date }>(
    `SELECT link, max(last_at) AS at FROM tracking_events WHERE action_id = $1 AND kind = 'click' GROUP BY link`,
    [action_id],
  )
  return rows.map(({ link, at }) => ({ link, at: at.getTime() }))
}

type VisitRow = ReturnType<typeof toRow>

const toRow = (what: What, hit: Hit) => {
  const { class: made, evidence } = classifyHit(hit)
  const agent = hit.user_agent?.replaceAll('\0', '').toWellFormed().slice(0, 300) ?? null
  return { ...what, class: made, at: new Date(hit.at), agent, evidence: jsonText(evidence) }
}

const STORE = `INSERT INTO tracking_events AS t (action_id, kind, link, class, workspace_id, campaign_id, campaign_lead_id, step,
    url, hits, first_at, last_at, user_agent, evidence)
  SELECT a.action_id, v.kind::"TrackingKind", v.link, v.class::"TrackingClass", a.workspace_id, a.campaign_id, a.campaign_lead_id, a.step,
    v.url, v.hits, v.first_at, v.last_at, v.user_agent, v.evidence
  FROM unnest($1::uuid[], $2::text[], $3::int[], $4::text[], $5::text[], $6::int[], $7::timestamptz[], $8::timestamptz[], $9::text[],
      $10::jsonb[]) v (action_id, kind, link, class, url, hits, first_at, last_at, user_agent, evidence)
    JOIN actions a USING (action_id)
  ORDER BY a.action_id
  ON CONFLICT (action_id, kind, link, class) DO UPDATE SET
    hits = least(t.hits + excluded.hits, ${MOST_HITS}), last_at = greatest(t.last_at, excluded.last_at)
  WHERE t.hits < ${MOST_HITS}
  RETURNING xmax = 0 AS is_new, t.class, t.first_at, t.url, t.action_id, workspace_id, campaign_id, campaign_lead_id, step,
    (SELECT l.email FROM campaign_leads l WHERE l.campaign_lead_id = t.campaign_lead_id) AS email,
    (SELECT l.lead_index FROM campaign_leads l WHERE l.campaign_lead_id = t.campaign_lead_id) AS lead_index`

type Stored = {
  is_new: boolean
  class: TrackingClass
  first_at: Date
  url: string | null
  action_id: string
  workspace_id: string
  campaign_id: string
  campaign_lead_id: string
  step: number
  email: string | null
  lead_index: number
}

/**
 * Stores visits of one kind. In the order of their actions, so that two groups with the same mails do not block each other. The first
 * visit of a person to a mail is told to webhooks; returns whether any asks for it.
 */
async function storeVisits(client: PoolClient, visits: readonly VisitRow[]): Promise<boolean> {
  const groups = Map.groupBy(visits, (visit) => `${visit.action_id} ${visit.link} ${visit.class}`)
  const rows = [...groups.values()].flatMap((group) => {
    const same = group.toSorted((one, other) => one.at.getTime() - other.at.getTime())
    const [first] = same
    return first ? [{ ...first, hits: Math.min(same.length, MOST_HITS), last_at: same.at(-1)?.at }] : []
  })
  const { rows: stored } = await client.query<Stored>(
    prepared(STORE, [
      rows.map((row) => row.action_id),
      rows.map((row) => row.kind),
      rows.map((row) => row.link),
      rows.map((row) => row.class),
      rows.map((row) => row.url),
      rows.map((row) => row.hits),
      rows.map((row) => row.at),
      rows.map((row) => row.last_at),
      rows.map((row) => row.agent),
      rows.map((row) => row.evidence),
    ]),
  )
  const type = rows[0]?.kind === 'open' ? ('lead.opened' as const) : ('lead.clicked' as const)
  const seen = stored.filter((row) => row.is_new && row.class === 'human')
  const events = seen.map(({ is_new: _, class: __, first_at: at, workspace_id, ...data }) => ({
    type,
    workspace_id,
    at,
    data,
  }))
  return (await tell(client, events)) > 0
}

/**
 * Reclassifies clicks first attributed to a person, before other links were followed right after them. Of a row older than the burst
 * only its latest click is removed.
 */
async function blameScanner(
  client: PoolClient,
  actionId: string,
  burst: { links: number[]; since: number },
  evidence: { rule: string; found: string }[],
  now: Date,
) {
  const OF_BURST = `action_id = $1 AND kind = 'click' AND class <> 'scanner' AND link = ANY ($2) AND last_at >= $3`
  const ROW = 'action_id, kind, link, workspace_id, campaign_id, campaign_lead_id, step, url, user_agent'
  await client.query(
    `WITH whole AS (
       DELETE FROM tracking_events WHERE ${OF_BURST} AND first_at >= $3 RETURNING ${ROW}, hits, first_at, last_at
     ), latest AS (
       UPDATE tracking_events SET hits = hits - 1, last_at = first_at WHERE ${OF_BURST} AND first_at < $3 AND hits > 1
       RETURNING ${ROW}, 1, $5::timestamptz, $5::timestamptz
     ), blamed AS (SELECT * FROM whole UNION ALL SELECT * FROM latest)
     INSERT INTO tracking_events AS t (action_id, kind, link, class, workspace_id, campaign_id, campaign_lead_id, step, url,
       hits, first_at, last_at, user_agent, evidence)
     SELECT action_id, kind, link, 'scanner', workspace_id, campaign_id, campaign_lead_id, step, url, sum(hits)::int,
       min(first_at), max(last_at), min(user_agent), $4
     FROM blamed GROUP BY action_id, kind, link, workspace_id, campaign_id, campaign_lead_id, step, url
     ON CONFLICT (action_id, kind, link, class) DO UPDATE SET hits = t.hits + excluded.hits,
       first_at = least(t.first_at, excluded.first_at), last_at = greatest(t.last_at, excluded.last_at)`,
    [actionId, burst.links, new Date(burst.since), jsonText(evidence), now],
  )
  // Withdraws pending webhooks of such clicks; one that was delivered already cannot be taken back.
  await client.query(
    `DELETE FROM webhook_events e WHERE e.type = 'lead.clicked' AND e.data ->> 'action_id' = $1
       AND e.workspace_id = (SELECT workspace_id FROM actions WHERE action_id = $1::uuid)
       AND NOT EXISTS (SELECT 1 FROM tracking_events t
         WHERE t.action_id = $1::uuid AND t.kind = 'click' AND t.class = 'human')
       AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d
         WHERE d.event_id = e.event_id AND (d.tries > 0 OR d.status <> 'pending'))`,
    [actionId],
  )
}
