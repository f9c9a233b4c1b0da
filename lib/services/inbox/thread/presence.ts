import type { InboxPresence } from '#lib/contracts/inbox/inbox-presence'
import { pool } from '#lib/db/client'
import { prepared } from '#lib/db/prepared'
import { PRESENT_MS, type PresenceState, SAID_MS } from '#lib/domain/inbox/presence'
import type { Maker } from '#lib/domain/workspaces/maker'
import { AppError } from '#lib/errors'

const MAX_SHOWN = 200

/** Reports arrive every few seconds; they are written every twenty seconds or on a change. */
const REPORT = `WITH thread AS (SELECT workspace_id, thread_id FROM threads WHERE workspace_id = $1 AND thread_id = $2),
  gone AS (DELETE FROM thread_presence
    WHERE workspace_id = $1 AND thread_id = $2 AND user_id = $3 AND $5::text = 'left'),
  here AS (INSERT INTO thread_presence AS p (workspace_id, thread_id, user_id, seen_at, typing_at)
    SELECT workspace_id, thread_id, $3::uuid, $4::timestamptz, CASE WHEN $5 = 'typing' THEN $4::timestamptz END
    FROM thread WHERE $5 <> 'left'
    ON CONFLICT (workspace_id, thread_id, user_id) DO UPDATE SET seen_at = excluded.seen_at, typing_at = excluded.typing_at
    WHERE p.seen_at < $6::timestamptz OR (p.typing_at IS NULL) <> (excluded.typing_at IS NULL))
  SELECT count(*)::int AS threads FROM thread`

/** Returns whether the conversation exists. */
export async function reportPresence(
  { workspace_id, user_id }: Maker,
  { thread_id, state }: { thread_id: string; state: PresenceState },
  now: Date,
): Promise<boolean> {
  const again = new Date(now.getTime() - SAID_MS)
  const values = [workspace_id, thread_id, user_id, now, state, again]
  const { rows } = await pool().query<{ threads: number }>(prepared(REPORT, values))
  return rows[0]?.threads === 1
}

const PRESENT = `SELECT p.thread_id, p.user_id, coalesce(nullif(u.name, ''), u.email) AS name,
    p.typing_at IS NOT NULL AS is_typing
  FROM thread_presence p JOIN users u USING (user_id)
  WHERE p.workspace_id = $1 AND p.user_id <> $2 AND p.seen_at > $3
  ORDER BY name, p.user_id, p.thread_id LIMIT ${MAX_SHOWN}`

/** Everybody else who has a conversation open. */
export async function listPresent({ workspace_id, user_id }: Maker, now: Date): Promise<InboxPresence[]> {
  const since = new Date(now.getTime() - PRESENT_MS)
  const { rows } = await pool().query<InboxPresence>(prepared(PRESENT, [workspace_id, user_id, since]))
  return rows
}

/** Reports the user's presence and returns who else has the conversation open. */
export async function enterThread(
  user: Maker,
  report: { thread_id: string; state: PresenceState },
  now: Date,
): Promise<InboxPresence[]> {
  if (!(await reportPresence(user, report, now))) throw new AppError('thread_not_found')
  const people = await listPresent(user, now)
  return people.filter(({ thread_id }) => thread_id === report.thread_id)
}

export async function removeOldPresence(now: Date): Promise<{ removed: number }> {
  const { rowCount } = await pool().query('DELETE FROM thread_presence WHERE seen_at < $1', [
    new Date(now.getTime() - PRESENT_MS),
  ])
  return { removed: rowCount ?? 0 }
}
