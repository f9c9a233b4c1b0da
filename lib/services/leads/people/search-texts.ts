import { pool } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'
import { SEARCHED } from '#lib/services/leads/people/list'

const BATCH = 2_000
/** Fewer people than this are scanned as fast as an index would find them. */
const LEAST = 2_000

/** Workspaces with at least this many people missing from `people_texts`. `person_id` has one lower bound, so that an index finds them. */
export async function findUnsearchedPeople(least = LEAST): Promise<string[]> {
  const { rows } = await pool().query<{ workspace_id: string }>(
    `SELECT w.workspace_id FROM workspaces w WHERE EXISTS (SELECT 1 FROM people p
       WHERE p.workspace_id = w.workspace_id AND p.merged_into_id IS NULL
         AND p.person_id > coalesce(w.people_searched_to, '00000000-0000-0000-0000-000000000000')
       OFFSET $1 - 1)
     ORDER BY w.workspace_id`,
    [least],
  )
  return rows.map(({ workspace_id }) => workspace_id)
}

/**
 * Writes the search texts of the next people of a workspace, by id. Merged people are not searchable; a
 * trigger writes their text when they are split off again. Returns whether there may be more; null if another
 * transaction is writing people right now, for which this does not wait.
 */
export async function fillPeopleTexts(workspaceId: string): Promise<{ goes_on: boolean } | null> {
  return inTransaction(pool(), async (client) => {
    const { rows } = await client.query<{ to: string | null }>(
      'SELECT people_searched_to AS to FROM workspaces WHERE workspace_id = $1 FOR NO KEY UPDATE SKIP LOCKED',
      [workspaceId],
    )
    const [workspace] = rows
    const held = await client.query<{ held: boolean }>(
      `SELECT pg_try_advisory_xact_lock(hashtextextended('search:' || $1::uuid, 0)) AS held`,
      [workspaceId],
    )
    if (!workspace || !held.rows[0]?.held) return null
    const { rows: filled } = await client.query<{ person_id: string }>(
      `INSERT INTO people_texts (person_id, workspace_id, text)
       SELECT p.person_id, p.workspace_id, ${SEARCHED} FROM people p
       WHERE p.workspace_id = $1 AND p.merged_into_id IS NULL AND ($2::uuid IS NULL OR p.person_id > $2)
       ORDER BY p.person_id LIMIT ${BATCH}
       ON CONFLICT (person_id) DO UPDATE SET text = excluded.text RETURNING person_id`,
      [workspaceId, workspace.to],
    )
    if (filled.length === 0) return { goes_on: false }
    const last = filled
      .map(({ person_id }) => person_id)
      .sort()
      .at(-1)
    await client.query('UPDATE workspaces SET people_searched_to = $2 WHERE workspace_id = $1', [
      workspaceId,
      last,
    ])
    return { goes_on: filled.length === BATCH }
  })
}
