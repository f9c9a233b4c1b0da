import { pool } from '#lib/db/client'
import { splitFullName } from '#lib/domain/enrichment/person-name'
import { type KnownAddress, type Learned, learnPatterns } from '#lib/domain/finder/patterns'

/** More addresses would not change any share by a percent. */
const MOST = 500

/** What the owner's datasets know about the people of a domain: their names, and the patterns of their addresses. */
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
    // Found through the search texts of rows; the few rows of a dataset without one yet are read directly.
    `WITH of_domain AS MATERIALIZED (
       SELECT s.dataset_id, s.lead_index FROM dataset_texts s
       WHERE s.workspace_id = $1 AND split_part(s.email, '@', 2) = $2 AND s.email <> ''
       UNION ALL
       SELECT d.dataset_id, r.lead_index FROM datasets d CROSS JOIN LATERAL (
         SELECT n.lead_index FROM dataset_rows n
         WHERE n.dataset_id = d.dataset_id AND n.lead_index >= d.searched_to AND split_part(n.email, '@', 2) = $2 OFFSET 0) r
       WHERE d.workspace_id = $1)
     SELECT DISTINCT ON (email) email, data ->> 'first_name' AS first_name, data ->> 'last_name' AS last_name,
       data ->> 'full_name' AS full_name
     FROM of_domain o CROSS JOIN LATERAL (SELECT * FROM dataset_rows n
       WHERE n.dataset_id = o.dataset_id AND n.lead_index = o.lead_index AND n.workspace_id = $1 OFFSET 0) r
     WHERE split_part(email, '@', 2) = $2
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
