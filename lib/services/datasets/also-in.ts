import { pool } from '#lib/db/client'
import type { AlsoIn } from '#lib/domain/datasets/also-in'

/** SQL conditions on rows `r` of dataset $1 of workspace $2 whose address is also found elsewhere. */
export const ALSO_IN_SQL: Record<AlsoIn, string> = {
  earlier_row: `EXISTS (SELECT 1 FROM dataset_rows o
    WHERE o.dataset_id = r.dataset_id AND o.email = r.email AND o.lead_index < r.lead_index)`,
  other_dataset: `EXISTS (SELECT 1 FROM datasets d JOIN dataset_rows o USING (dataset_id)
    WHERE d.workspace_id = $2 AND d.dataset_id <> $1 AND o.email = r.email)`,
  campaign: `EXISTS (SELECT 1 FROM campaign_leads l
    WHERE l.workspace_id = $2 AND l.email = r.email AND l.status <> 'skipped')`,
}

/** Larger datasets are not counted: it would take longer than anybody waits for a page. */
const MOST_COUNTED = 20_000

/** How many rows of a dataset are also found elsewhere, by place; null: too many rows to count. */
export async function countAlsoIn(
  workspaceId: string,
  { dataset_id, row_count }: { dataset_id: string; row_count: number },
): Promise<Record<AlsoIn, number> | null> {
  if (row_count > MOST_COUNTED) return null
  const counted = Object.entries(ALSO_IN_SQL).map(
    ([name, sql]) => `(count(*) FILTER (WHERE ${sql}))::int AS ${name}`,
  )
  const { rows } = await pool().query<Record<AlsoIn, number>>(
    `SELECT ${counted.join(', ')} FROM dataset_rows r
     WHERE r.dataset_id = $1 AND r.workspace_id = $2 AND r.email IS NOT NULL`,
    [dataset_id, workspaceId],
  )
  return rows[0] ?? null
}
