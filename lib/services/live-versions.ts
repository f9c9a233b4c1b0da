import type { LiveTopic } from '#lib/contracts/live'
import { pool } from '#lib/db/client'
import { prepared } from '#lib/db/prepared'

/** xmin is the transaction that wrote a row last: any change of any row of the owner makes another text. */
const versionSql = (table: string, order: string) =>
  `SELECT md5(coalesce(string_agg(v, ','), '')) AS version FROM (
     SELECT xmin::text AS v FROM ${table} WHERE user_id = $1 ORDER BY ${order} LIMIT 1000) rows`

const TOPICS: Record<LiveTopic, string> = {
  campaigns: versionSql('campaigns', 'created_at DESC, campaign_id DESC'),
  datasets: versionSql('datasets', 'created_at DESC, dataset_id DESC'),
  posts: versionSql('social_posts', 'created_at DESC, id DESC'),
  runs: versionSql('personalization_runs', 'created_at DESC, run_id DESC'),
  domains: versionSql('mail_domains', 'created_at DESC, domain_id DESC'),
  inbox: versionSql('threads', 'last_message_at DESC, thread_id DESC'),
}

/** Several tabs of one person within a second are answered by one look. */
const FRESH_MS = 1000
const OWNERS_KEPT = 10_000
const looks = new Map<string, { at: number; version: Promise<string> }>()

/** A text that is another one once anything has changed on what the topic shows of this owner's; `now` in ms. */
export function liveVersion(userId: string, topic: LiveTopic, now: number): Promise<string> {
  const key = `${userId} ${topic}`
  const known = looks.get(key)
  if (known && now - known.at < FRESH_MS) return known.version
  if (looks.size >= OWNERS_KEPT) looks.clear()
  const version = readVersion(userId, topic)
  looks.set(key, { at: now, version })
  version.catch(() => looks.delete(key))
  return version
}

async function readVersion(userId: string, topic: LiveTopic): Promise<string> {
  const { rows } = await pool().query<{ version: string }>(prepared(TOPICS[topic], [userId]))
  return rows[0]?.version ?? ''
}
