import { pool } from '#lib/db/client'
import { splitFullName } from '#lib/domain/enrichment/person-name'
import { type KnownAddress, type Learned, learnPatterns } from '#lib/domain/finder/patterns'

/** More would change no share by a percent. */
const MOST = 500

/** What the owner's datasets know of the people of a domain: who they are, and how their addresses are made. */
export async function loadKnown(
  workspaceId: string,
  domain: string,
): Promise<{ people: KnownAddress[]; learned: Learned }> {
  const { rows } = await pool().query<{
    email: string
    first_name: string | null
    last_name: string | null
    full_name: string | null
  }>(
    `SELECT DISTINCT ON (email) email, data ->> 'first_name' AS first_name, data ->> 'last_name' AS last_name,
       data ->> 'full_name' AS full_name
     FROM dataset_rows r
     WHERE workspace_id = $1 AND split_part(email, '@', 2) = $2 AND email IS NOT NULL
       -- What a session guessed is no evidence for the next guess.
       AND NOT EXISTS (SELECT 1 FROM dataset_cell_changes c WHERE c.dataset_id = r.dataset_id
         AND c.lead_index = r.lead_index AND c.field = 'email' AND c.rule LIKE 'email_finder%'
         AND c.new_value = r.email AND c.undone_at IS NULL)
     ORDER BY email LIMIT $3`,
    [workspaceId, domain, MOST],
  )
  const people = rows.flatMap(({ email, first_name, last_name, full_name }) => {
    if (first_name?.trim() && last_name?.trim()) return [{ email, first_name, last_name }]
    const split = splitFullName(full_name ?? '')
    return split.kind === 'split' ? [{ email, first_name: split.first_name, last_name: split.last_name }] : []
  })
  return { people, learned: learnPatterns(people) }
}
