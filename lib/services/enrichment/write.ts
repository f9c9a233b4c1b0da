import type { PoolClient } from 'pg'
import { jsonText } from '#lib/db/json-text'
import type { CellChange } from '#lib/domain/enrichment/proposal'
import { addColumns } from '#lib/services/enrichment/added-columns'

export type RowChanges = { lead_index: number; changes: readonly CellChange[] }

/** Writes the cells of a batch with the origin of each. A change that the session has made already is not repeated. */
export async function writeChanges(
  client: PoolClient,
  session: { session_id: string; dataset_id: string; workspace_id: string },
  rows: readonly RowChanges[],
  now: Date,
): Promise<void> {
  const all = rows.flatMap(({ lead_index, changes }) => changes.map((change) => ({ lead_index, ...change })))
  if (all.length === 0) return
  const { session_id, dataset_id, workspace_id } = session
  await client.query(
    `INSERT INTO dataset_cell_changes
       (session_id, dataset_id, workspace_id, lead_index, field, old_value, new_value, rule, source, certainty, created_at)
     SELECT $1, $2, $3, c.*, $4
     FROM unnest($5::int[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[]) c
     ON CONFLICT (session_id, lead_index, field) DO NOTHING`,
    [
      session_id,
      dataset_id,
      workspace_id,
      now,
      all.map((one) => one.lead_index),
      all.map((one) => one.field),
      all.map((one) => one.old_value),
      all.map((one) => one.new_value),
      all.map((one) => one.rule),
      all.map((one) => one.source),
      all.map((one) => one.certainty),
    ],
  )
  const changed = rows.filter(({ changes }) => changes.length > 0)
  await client.query(
    `UPDATE dataset_rows r SET data = r.data || p.patch, email = coalesce(p.patch ->> 'email', r.email)
     FROM unnest($2::int[], $3::jsonb[]) p (lead_index, patch)
     WHERE r.dataset_id = $1 AND r.lead_index = p.lead_index`,
    [
      dataset_id,
      changed.map(({ lead_index }) => lead_index),
      changed.map(({ changes }) =>
        jsonText(Object.fromEntries(changes.map((one) => [one.field, one.new_value]))),
      ),
    ],
  )
  await addColumns(client, session, [...new Set(all.map(({ field }) => field))])
}
