import type { Pool, PoolClient } from 'pg'
import { inTransaction } from '#lib/db/transaction'
import { composeDigest, type DigestLine, isWanted } from '#lib/domain/telling/notification-digest'
import type { Maker } from '#lib/domain/workspaces/maker'
import type { Channels } from '#lib/services/telling/notification-channels'
import {
  type Draft,
  listRecipients,
  type Preferences,
  queueMessages,
} from '#lib/services/telling/notification-queue'

const MINUTE_MS = 60_000
/** How long the first event waits for others. */
const GATHER_MS = MINUTE_MS
/** Minimum time between two digests of one workspace. */
const PAUSE_MS = 15 * MINUTE_MS
const OWNERS = 500

type Person = Preferences & Maker & { works: boolean }
/** `user_id` null: for every member. */
type Fact = DigestLine & { user_id: string | null }

/**
 * Makes one digest of everything that the people of each workspace have not been told yet, in one transaction with the mark that it was
 * included: nothing is sent twice, and nothing is lost. Ten thousand bounces become one message. Returns how many were queued.
 */
export async function gatherDigests(
  pool: Pool,
  appUrl: string,
  channels: Channels,
  now: Date,
): Promise<number> {
  const { rows } = await pool.query<{ workspace_id: string }>(
    `SELECT n.workspace_id FROM notifications n LEFT JOIN LATERAL (
       SELECT max(last_digest_at) AS last FROM notification_preferences p WHERE p.workspace_id = n.workspace_id) told ON true
     WHERE n.gathered_at IS NULL GROUP BY n.workspace_id, told.last
     HAVING min(n.created_at) <= $1 AND (told.last IS NULL OR told.last <= $2)
     ORDER BY min(n.created_at) LIMIT ${OWNERS}`,
    [new Date(now.getTime() - GATHER_MS), new Date(now.getTime() - PAUSE_MS)],
  )
  let queued = 0
  for (const { workspace_id } of rows)
    queued += await inTransaction(pool, (client) => gatherOne(client, workspace_id, appUrl, channels, now))
  return queued
}

async function gatherOne(
  client: PoolClient,
  workspaceId: string,
  appUrl: string,
  channels: Channels,
  now: Date,
): Promise<number> {
  const people = await lockPreferences(client, workspaceId)
  const last = Math.max(0, ...people.map(({ last_digest_at }) => last_digest_at?.getTime() ?? 0))
  // Another worker has gathered for this workspace already.
  if (people.length === 0 || last > now.getTime() - PAUSE_MS) return 0
  const facts = await take(client, workspaceId, now)
  const { rows } = await client.query<{ slug: string }>(
    'SELECT slug FROM workspaces WHERE workspace_id = $1',
    [workspaceId],
  )
  const home = `${appUrl}/w/${rows[0]?.slug}`
  let queued = 0
  for (const person of people) {
    const lines = facts.filter(
      ({ kind, user_id }) =>
        (user_id === null ? person.works : user_id === person.user_id) && isWanted(kind, person),
    )
    const recipients = listRecipients(person, channels)
    if (lines.length === 0 || recipients.length === 0) continue
    await client.query(
      'UPDATE notification_preferences SET last_digest_at = $3 WHERE workspace_id = $1 AND user_id = $2',
      [workspaceId, person.user_id, now],
    )
    const digest: Draft = { kind: 'digest', ...composeDigest(lines, home) }
    queued += (await queueMessages(client, person, recipients, digest, now)).length
  }
  return queued
}

/**
 * Locks and reads the preferences of everybody who may be notified, and whether they are members: others get only notices addressed to
 * them. The row locks serialize two workers that gather for one workspace.
 */
async function lockPreferences(client: PoolClient, workspaceId: string): Promise<Person[]> {
  await client.query(
    `INSERT INTO notification_preferences (workspace_id, user_id)
     SELECT workspace_id, user_id FROM members WHERE workspace_id = $1 AND role <> 'client'
     ORDER BY user_id ON CONFLICT DO NOTHING`,
    [workspaceId],
  )
  const { rows } = await client.query<Person>(
    `SELECT p.*, u.email, m.role <> 'viewer' AS works FROM notification_preferences p JOIN users u USING (user_id)
     JOIN members m USING (workspace_id, user_id)
     WHERE p.workspace_id = $1 AND m.role <> 'client' ORDER BY p.user_id FOR NO KEY UPDATE OF p`,
    [workspaceId],
  )
  return rows
}

async function take(client: PoolClient, workspaceId: string, now: Date): Promise<Fact[]> {
  const { rows } = await client.query<Fact>(
    `WITH taken AS (
       UPDATE notifications SET gathered_at = $2 WHERE workspace_id = $1 AND gathered_at IS NULL RETURNING *
     )
     SELECT t.user_id, t.kind, count(*)::int AS count, max(t.data->>'by') AS by, max(t.data->>'thread_id') AS thread_id, t.campaign_id, t.mailbox_id, max(t.data->>'reason') AS reason,
       coalesce(max(c.name), max(t.data->>'name'), max(t.data->>'address')) AS name,
       coalesce((array_agg(DISTINCT t.data->>'email') FILTER (WHERE t.data->>'email' IS NOT NULL))[1:3], '{}') AS emails
     FROM taken t LEFT JOIN campaigns c ON c.campaign_id = t.campaign_id AND c.workspace_id = $1
     GROUP BY t.user_id, t.kind, t.campaign_id, t.mailbox_id, t.data->>'webhook_id', t.data->>'account_id',
       -- Its sentence names one of the mailbox's providers.
       CASE t.kind WHEN 'provider_paused' THEN t.data->>'reason' END`,
    [workspaceId, now],
  )
  return rows
}
