import type { LiveTopic } from '#lib/contracts/live'
import { pool } from '#lib/db/client'
import { prepared } from '#lib/db/prepared'

/**
 * Combines the rows' xmin, the id of the transaction that wrote a row last, so that any change of any of the owner's rows changes the
 * version.
 */
const versionSql = (...lists: string[]) =>
  `SELECT md5(coalesce(string_agg(v, ','), '')) AS version FROM (${lists.join(' UNION ALL ')}) rows`

const newest = (table: string, order: string) =>
  `(SELECT xmin::text AS v FROM ${table} WHERE workspace_id = $1 ORDER BY ${order} LIMIT 1000)`

const CAMPAIGNS = newest('campaigns', 'created_at DESC, campaign_id DESC')
const DATASETS = newest('datasets', 'created_at DESC, dataset_id DESC')
const INBOX = newest('threads', 'last_message_at DESC, thread_id DESC')
const DRAFTS = newest('inbox_drafts', 'updated_at DESC')

const TOPICS: Record<LiveTopic, string> = {
  // Sends, replies and endings change a campaign's counters.
  home: versionSql(CAMPAIGNS, DATASETS, INBOX, newest('mailboxes', 'mailbox_id')),
  campaigns: versionSql(CAMPAIGNS),
  datasets: versionSql(DATASETS),
  posts: versionSql(newest('social_posts', 'created_at DESC, id DESC')),
  runs: versionSql(newest('personalization_runs', 'created_at DESC, run_id DESC')),
  domains: versionSql(newest('mail_domains', 'created_at DESC, domain_id DESC')),
  inbox: versionSql(INBOX, DRAFTS),
  webhooks: versionSql(
    `(SELECT d.xmin::text AS v FROM webhooks w CROSS JOIN LATERAL (
        SELECT xmin FROM webhook_deliveries WHERE webhook_id = w.webhook_id
        ORDER BY created_at DESC, delivery_id DESC LIMIT 100) d WHERE w.workspace_id = $1)`,
  ),
}

/** Several tabs of one person within a second share one query. */
const FRESH_MS = 1000
const OWNERS_KEPT = 10_000
const looks = new Map<string, { at: number; version: Promise<string> }>()

/** A version that changes whenever anything that the topic shows of this owner changes; `now` in ms. */
export function liveVersion(workspaceId: string, topic: LiveTopic, now: number): Promise<string> {
  const key = `${workspaceId} ${topic}`
  const known = looks.get(key)
  if (known && now - known.at < FRESH_MS) return known.version
  if (looks.size >= OWNERS_KEPT) looks.clear()
  const version = readVersion(workspaceId, topic)
  looks.set(key, { at: now, version })
  version.catch(() => looks.delete(key))
  return version
}

async function readVersion(workspaceId: string, topic: LiveTopic): Promise<string> {
  const { rows } = await pool().query<{ version: string }>(prepared(TOPICS[topic], [workspaceId]))
  return rows[0]?.version ?? ''
}
