import { pool } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'
import { searchTextSql } from '#lib/services/datasets/lead-search'
import { rowsByPlace } from '#lib/services/datasets/rows-by-place'

const BATCH = 2_000
/** Smaller datasets are read in full as fast as by an index. */
const LEAST = 2_000

type Next = { dataset_id: string; searched_to: number }

/** Datasets with at least this many rows that are not in `dataset_texts` yet. Removed rows count too. */
export async function findUnsearched(least = LEAST): Promise<string[]> {
  const { rows } = await pool().query<{ dataset_id: string }>(
    `SELECT dataset_id FROM datasets WHERE greatest(row_count, next_lead_index) - searched_to >= $1
     ORDER BY dataset_id LIMIT 1000`,
    [least],
  )
  return rows.map(({ dataset_id }) => dataset_id)
}

/**
 * Writes the search texts of the next rows. Returns whether there are more; null if the dataset is being written to, since this does not
 * wait. The dataset is locked before its texts, as by edits of rows.
 */
export async function fillTexts(datasetId: string): Promise<{ goes_on: boolean } | null> {
  return inTransaction(pool(), async (client) => {
    const { rows } = await client.query<Next>(
      'SELECT dataset_id, searched_to FROM datasets WHERE dataset_id = $1 FOR NO KEY UPDATE SKIP LOCKED',
      [datasetId],
    )
    const [next] = rows
    const held = await client.query<{ held: boolean }>(
      `SELECT pg_try_advisory_xact_lock(hashtextextended('search:' || $1::uuid, 0)) AS held`,
      [datasetId],
    )
    if (!next || !held.rows[0]?.held) return null
    // Read once the locks are held, so that everything committed before is seen.
    const { rows: last } = await client.query<{ end: number }>(
      'SELECT coalesce(max(lead_index) + 1, 0) AS end FROM dataset_rows WHERE dataset_id = $1',
      [datasetId],
    )
    const end = last[0]?.end ?? 0
    const until = Math.min(next.searched_to + BATCH, end)
    if (until <= next.searched_to) return { goes_on: false }
    await client.query(FILL, [datasetId, next.searched_to, until])
    await client.query('UPDATE datasets SET searched_to = $2 WHERE dataset_id = $1', [datasetId, until])
    return { goes_on: until < end }
  })
}

/** `is_loose` marks places where a lead's address differs from its row's, or the row is gone. */
const FILL = `WITH leads AS MATERIALIZED (
    SELECT l.lead_index, l.email FROM campaigns c JOIN campaign_leads l USING (campaign_id)
    WHERE c.dataset_id = $1 AND l.lead_index >= $2 AND l.lead_index < $3
  ), own AS MATERIALIZED (
    SELECT r.lead_index, r.workspace_id, r.email, ${searchTextSql('r')} AS names
    FROM ${rowsByPlace('$1', 'r.lead_index >= $2 AND r.lead_index < $3')} r
  ), loose AS MATERIALIZED (
    SELECT DISTINCT l.lead_index FROM leads l LEFT JOIN own r USING (lead_index)
    WHERE r.lead_index IS NULL OR l.email IS DISTINCT FROM r.email)
  INSERT INTO dataset_texts (dataset_id, lead_index, workspace_id, names, email, is_loose)
  SELECT $1, lead_index, d.workspace_id, coalesce(r.names, ''), coalesce(r.email, ''), loose.lead_index IS NOT NULL
  FROM own r FULL JOIN loose USING (lead_index), datasets d WHERE d.dataset_id = $1
  ON CONFLICT (dataset_id, lead_index) DO UPDATE
    SET names = excluded.names, email = excluded.email, is_loose = excluded.is_loose`
