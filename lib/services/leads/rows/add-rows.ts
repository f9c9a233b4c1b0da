import type { PoolClient } from 'pg'
import type { z } from 'zod'
import type { AddDatasetRows } from '#lib/contracts/datasets/dataset-rows'
import { pool } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'
import { lockCampaignsOver, lockDataset } from '#lib/services/leads/rows/locked-dataset'
import { readdressLeads } from '#lib/services/leads/rows/readdress'
import { alreadyThere, filledKeys, inOrder, sortRows } from '#lib/services/leads/rows/sort-rows'
import { describeDataset, insertRows, overwriteRows } from '#lib/services/leads/rows/write-rows'

type Given = z.output<typeof AddDatasetRows.body>

/** Launched campaigns over the dataset do not enrol the new rows, but see changes of rows they have. */
export async function addDatasetRows(workspaceId: string, datasetId: string, given: Given, now: Date) {
  return inTransaction(pool(), (client) => addRowsWithin(client, workspaceId, datasetId, given, now))
}

/** The same inside a transaction, which may hold no lock other than that of the dataset. */
export async function addRowsWithin(
  client: PoolClient,
  workspaceId: string,
  datasetId: string,
  { rows, on_conflict }: Given,
  now: Date,
) {
  const dataset = await lockDataset(client, workspaceId, datasetId)
  const campaignIds = on_conflict === 'update' ? await lockCampaignsOver(client, datasetId) : []
  const { added, known, skipped, columns } = await sortRows(client, dataset, rows)
  const updated = on_conflict === 'update' ? known : []
  const left = on_conflict === 'update' ? [] : known.map(alreadyThere)
  await insertRows(client, dataset, added)
  await overwriteRows(client, datasetId, updated)
  const grown = {
    columns: columns.withNew(filledKeys([...added, ...updated])),
    added: added.length,
    next_lead_index: dataset.next_lead_index + added.length,
  }
  await describeDataset(client, datasetId, grown, now)
  const changed = updated.map(({ lead_index }) => lead_index)
  await readdressLeads(client, campaignIds, changed, now)
  return { added: added.length, updated: updated.length, skipped: inOrder([...skipped, ...left]) }
}
