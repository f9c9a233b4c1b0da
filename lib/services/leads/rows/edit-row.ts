import type { z } from 'zod'
import type { EditDatasetRow } from '#lib/contracts/datasets/dataset-rows'
import { DatasetRow } from '#lib/contracts/datasets/datasets'
import { db, pool } from '#lib/db/client'
import { jsonText } from '#lib/db/json-text'
import { type Statements, toStatements } from '#lib/db/statements'
import { inTransaction } from '#lib/db/transaction'
import { columnFinder, type GivenRow, judgeGivenRow } from '#lib/domain/datasets/given-rows'
import { AppError, invalid } from '#lib/errors'
import { settleCampaigns } from '#lib/services/campaigns/state'
import { edit, unchanged } from '#lib/services/instance/versioned-edit'
import { lockCampaignsOver, lockDataset } from '#lib/services/leads/rows/locked-dataset'
import { readdressLeads } from '#lib/services/leads/rows/readdress'
import { describeDataset } from '#lib/services/leads/rows/write-rows'
import { loseRows } from '#lib/services/leads/state/rows'

type Place = { dataset_id: string; workspace_id: string; lead_index: number }

/**
 * Changes cells of one row. Leads that have not begun take over the row's new identity. If the cells already have these values,
 * nothing is written and the row keeps its version.
 */
export async function editDatasetRow(
  key: Place,
  { data, version }: z.output<typeof EditDatasetRow.body>,
  now: Date,
) {
  const read = async () => DatasetRow.parse(await db.datasetRow.findFirstOrThrow({ where: key }))
  let campaignIds: string[] = []
  const isChanged = await edit({
    table: 'dataset_rows',
    key,
    version,
    missing: 'row_not_found',
    current: read,
    first: async (tx) => {
      await lockDataset(toStatements(tx), key.workspace_id, key.dataset_id)
      campaignIds = await lockCampaignsOver(toStatements(tx), key.dataset_id)
    },
    write: async (tx) => {
      const client = toStatements(tx)
      if (!(await writeCells(client, key, data, now))) {
        await keepVersion(client, key)
        return false
      }
      await readdressLeads(client, campaignIds, [key.lead_index], now)
      return true
    },
  })
  const row = await read()
  return isChanged ? row : unchanged(row)
}

/** Takes back the version that `edit` has just counted, since nothing changed. */
const keepVersion = (client: Statements, { dataset_id, lead_index }: Place) =>
  client.query(
    'UPDATE dataset_rows SET version = version - 1 WHERE dataset_id = $1::uuid AND lead_index = $2::int',
    [dataset_id, lead_index],
  )

/** Returns whether anything changed. */
async function writeCells(client: Statements, key: Place, given: GivenRow, now: Date): Promise<boolean> {
  const { dataset_id, lead_index, workspace_id } = key
  const dataset = await lockDataset(client, workspace_id, dataset_id)
  const columns = columnFinder(dataset.columns)
  const verdict = judgeGivenRow(given, columns)
  if (verdict.kind === 'refused')
    throw invalid(['body', 'data', verdict.field ?? ''], verdict.message, verdict.code)
  const { cells, emptied, email } = verdict
  const { rows } = await client.query(
    `SELECT 1 FROM dataset_rows WHERE dataset_id = $1::uuid AND email = $2 AND lead_index <> $3::int LIMIT 1`,
    [dataset_id, email, lead_index],
  )
  if (rows.length > 0) throw new AppError('address_taken')
  const { rows: changed } = await client.query(
    `UPDATE dataset_rows r SET data = n.data, email = n.email
     FROM (SELECT (data || $3::jsonb) - $4::text[] AS data,
         CASE WHEN 'email' = ANY ($4::text[]) THEN NULL ELSE coalesce($5, email) END AS email
       FROM dataset_rows WHERE dataset_id = $1::uuid AND lead_index = $2::int) n
     WHERE r.dataset_id = $1::uuid AND r.lead_index = $2::int AND (r.data, r.email) IS DISTINCT FROM (n.data, n.email)
     RETURNING 1`,
    [dataset_id, lead_index, jsonText(cells), emptied, email],
  )
  if (changed.length === 0) return false
  const grown = {
    columns: columns.withNew(new Set(Object.keys(cells))),
    added: 0,
    next_lead_index: dataset.next_lead_index,
  }
  await describeDataset(client, dataset_id, grown, now)
  return true
}

/** Deletes a row. Its place stays empty, and its waiting leads end. */
export async function removeDatasetRow({ lead_index, ...dataset }: Place, now: Date): Promise<void> {
  const { removed } = await removeDatasetRows(dataset, [lead_index], now)
  if (removed.length === 0) throw new AppError('row_not_found')
}

/** The same for several rows; returns those that existed. */
export async function removeDatasetRows(
  { dataset_id, workspace_id }: Omit<Place, 'lead_index'>,
  leadIndexes: number[],
  now: Date,
): Promise<{ removed: number[] }> {
  return inTransaction(pool(), async (client) => {
    const { columns, next_lead_index } = await lockDataset(client, workspace_id, dataset_id)
    const campaignIds = await lockCampaignsOver(client, dataset_id)
    const { rows } = await client.query<{ lead_index: number }>(
      `DELETE FROM dataset_rows WHERE dataset_id = $1 AND workspace_id = $2 AND lead_index = ANY ($3::int[])
       RETURNING lead_index`,
      [dataset_id, workspace_id, leadIndexes],
    )
    const removed = rows.map(({ lead_index }) => lead_index).toSorted((a, b) => a - b)
    if (removed.length === 0) return { removed }
    // Their leads are still found by their own columns.
    await client.query(
      `UPDATE dataset_texts SET names = '', email = '', is_loose = true
       WHERE dataset_id = $1 AND lead_index = ANY ($2::int[])`,
      [dataset_id, removed],
    )
    await describeDataset(client, dataset_id, { columns, added: -removed.length, next_lead_index }, now)
    await loseRows(client, campaignIds, removed, now)
    await settleCampaigns(client, campaignIds, now)
    return { removed }
  })
}
