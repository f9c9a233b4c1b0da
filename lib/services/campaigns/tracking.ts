import type { PoolClient } from 'pg'
import { pool } from '#lib/db/client'
import { jsonText } from '#lib/db/json-text'
import { prepared } from '#lib/db/prepared'
import { withEachKey } from '#lib/db/seal'
import { inTransaction } from '#lib/db/transaction'
import { classifyBurst, classifyHit, type Hit } from '#lib/domain/analytics/tracking-class'
import { readClickToken, readOpenToken } from '#lib/domain/tokens/tracking-token'
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
 * Returns whether webhooks are to be told. Clicks that turn out to be part of a burst are all reclassified as a scanner's.
 */
export async function recordHit(what: What, visit: Visit, now: Date): Promise<{ is_told: boolean }> {
  return inTransaction(pool(), async (client) => {
    const sent_at = await lockSent(client, what.action_id)
    if (sent_at === null) return { is_told: false }
    const hit: Hit = { ...what, ...visit, at: now.getTime(), sent_at, clicks: await loadClicks(client, what) }
    const burst = classifyBurst(hit)
    if (burst) await blameScanner(client, what.action_id, burst, classifyHit(hit).evidence, now)
    return storeVisit(client, what, hit, now)
  })
}

/** Locks an action and reads when it was sent. Visits of one burst arrive together, and each must see those before it. */
async function lockSent(client: PoolClient, actionId: string): Promise<number | null> {
  const { rows } = await client.query<{ at: Date }>(
    prepared(
      `SELECT coalesce(recorded_at, performed_at) AS at, pg_advisory_xact_lock(hashtextextended($2, 0)) FROM actions
       WHERE action_id = $1 AND status IN ('sending', 'sent', 'uncertain')`,
      [actionId, actionId],
    ),
  )
  return rows[0]?.at.getTime() ?? null
}

async function loadClicks(client: PoolClient, { action_id, kind }: What) {
  if (kind !== 'click') return []
  const { rows } = await client.query<{ link: number; at: Date }>(
    `SELECT link, max(last_at) AS at FROM tracking_events WHERE action_id = $1 AND kind = 'click' GROUP BY link`,
    [action_id],
  )
  return rows.map(({ link, at }) => ({ link, at: at.getTime() }))
}

async function storeVisit(client: PoolClient, { action_id, kind, link, url }: What, hit: Hit, now: Date) {
  const { class: made, evidence } = classifyHit(hit)
  const { rows } = await client.query<Visited>(
    prepared(
      `INSERT INTO tracking_events AS t (action_id, kind, link, class, workspace_id, campaign_id, campaign_lead_id, step, url,
         first_at, last_at, user_agent, evidence)
       SELECT action_id, $2::"TrackingKind", $3, $4::"TrackingClass", workspace_id, campaign_id, campaign_lead_id, step, $5,
         $6, $6, $7, $8 FROM actions WHERE action_id = $1
       ON CONFLICT (action_id, kind, link, class) DO UPDATE SET
         hits = t.hits + 1, last_at = greatest(t.last_at, excluded.last_at)
       WHERE t.hits < ${MOST_HITS}
       RETURNING xmax = 0 AS is_new, workspace_id, campaign_id, campaign_lead_id, step,
         (SELECT l.email FROM campaign_leads l WHERE l.campaign_lead_id = t.campaign_lead_id) AS email,
         (SELECT l.lead_index FROM campaign_leads l WHERE l.campaign_lead_id = t.campaign_lead_id) AS lead_index`,
      [
        action_id,
        kind,
        link,
        made,
        url,
        now,
        hit.user_agent?.replaceAll('\0', '').toWellFormed().slice(0, 300) ?? null,
        jsonText(evidence),
      ],
    ),
  )
  const [row] = rows
  if (!row?.is_new || made !== 'human') return { is_told: false }
  return { is_told: (await tellOfVisit(client, { action_id, kind, url }, row, now)) > 0 }
}

type Visited = {
  is_new: boolean
  workspace_id: string
  campaign_id: string
  campaign_lead_id: string
  step: number
  email: string | null
  lead_index: number
}

/** A person opened a mail or clicked in it; reported once per mail. */
function tellOfVisit(
  client: PoolClient,
  { action_id, kind, url }: Pick<What, 'action_id' | 'kind' | 'url'>,
  { is_new: _, workspace_id, ...visited }: Visited,
  at: Date,
): Promise<number> {
  const type = kind === 'open' ? ('lead.opened' as const) : ('lead.clicked' as const)
  return tell(client, [{ type, workspace_id, at, data: { ...visited, action_id, url } }])
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
