import { pool } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'
import { SEARCHED } from '#lib/services/leads/people/list'

const BATCH = 2_000
/** Fewer people are read as fast as an index is. */
const LEAST = 2_000

/** Workspaces of which at least so many people are not in `people_texts` yet. */
export async function findUnsearchedPeople(least = LEAST): Promise<string[]> {
  const { rows } = await pool().query<{ workspace_id: string }>(
    `SELECT w.workspace_id FROM workspaces w WHERE EXISTS (SELECT 1 FROM people p
       WHERE p.workspace_id = w.workspace_id AND p.merged_into_id IS NULL
         AND (w.people_searched_to IS NULL OR p.person_id > w.people_searched_to)
       OFFSET $1 - 1)
     ORDER BY w.workspace_id`,
    [least],
  )
  return rows.map(({ workspace_id }) => workspace_id)
}

/**
 * Writes the texts of the next people of a workspace, in the order of their ids. Whoever is merged is not found; a trigger writes
 * theirs once they are split off. Answers whether there may be more; null where somebody writes people right now, who is not
 * waited for.
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
