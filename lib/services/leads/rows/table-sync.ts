import type { PoolClient } from 'pg'
import type { z } from 'zod'
import type { DatasetReject } from '#lib/contracts/datasets/datasets'
import { MAX_COMPARED, type SyncTable } from '#lib/contracts/datasets/table-sync'
import { ColumnMapping } from '#lib/contracts/datasets/uploads'
import { pool } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'
import { MAX_COLUMNS, MAX_ROWS } from '#lib/domain/datasets/given-rows'
import type { RejectCode } from '#lib/domain/datasets/rows'
import { knownKeys, tableMapping } from '#lib/domain/datasets/table-mapping'
import { AppError } from '#lib/errors'
import { settleCampaigns } from '#lib/services/campaigns/state'
import { getDataset } from '#lib/services/datasets/datasets'
import { readyForImport } from '#lib/services/datasets/uploads'
import { openUpload } from '#lib/services/files/uploads'
import { type WorkingCopy, withCopy } from '#lib/services/files/working-copy'
import { compareRows, loadTable } from '#lib/services/leads/rows/incoming-table'
import { type LockedDataset, lockCampaignsOver, lockDataset } from '#lib/services/leads/rows/locked-dataset'
import { readdressLeads } from '#lib/services/leads/rows/readdress'
import { describeDataset } from '#lib/services/leads/rows/write-rows'
import { loseRows } from '#lib/services/leads/state/rows'
import { readLeadRows } from '#lib/services/reading/files'
import type { LeadColumns } from '#lib/services/reading/lead-rows'

type Asked = z.output<typeof SyncTable.body>
type Table = Pick<Asked, 'sheet' | 'mapping'>
type Params = z.output<typeof SyncTable.params>

/** What a sync would change. Stores nothing and takes no locks. */
export async function compareTable(workspaceId: string, params: Params, table: Table, now: Date) {
  return withTable(workspaceId, params, table, now, async (client, sheet) => ({
    ...(await readChanges(client, params.dataset_id)),
    sheet,
  }))
}

/** Applies the result of a comparison, if the changes are still the same. */
export async function syncTable(workspaceId: string, params: Params, asked: Asked, now: Date) {
  const { dataset_id: datasetId } = params
  return withTable(workspaceId, params, asked, now, async (client, _, columns) => {
    const dataset = await lockDataset(client, workspaceId, datasetId)
    const campaignIds = await lockCampaignsOver(client, datasetId)
    const { digest } = await compareAnew(client, datasetId)
    if (digest !== asked.digest)
      throw new AppError('conflict', {
        message: 'The table or dataset has changed since the comparison. Compare them again.',
      })
    const grown = await grownColumns(client, dataset, columns, asked)
    const added = asked.add ? await addNew(client, dataset) : 0
    const updated = asked.update ? await writeChanged(client, datasetId) : []
    const removed = asked.remove ? await removeGone(client, datasetId) : []
    const place = {
      columns: grown,
      added: added - removed.length,
      next_lead_index: dataset.next_lead_index + added,
    }
    await describeDataset(client, datasetId, place, now)
    const leads_ended = await loseRows(client, campaignIds, removed, now)
    await readdressLeads(client, campaignIds, updated, now)
    await settleCampaigns(client, campaignIds, now)
    return { added, updated: updated.length, removed: removed.length, leads_ended }
  })
}

type Work<Answer> = (client: PoolClient, sheet: string, columns: LeadColumns) => Promise<Answer>

/** Reads the table before taking any lock. */
async function withTable<Answer>(
  workspaceId: string,
  { dataset_id: datasetId, upload_id }: Params,
  wanted: Table,
  now: Date,
  work: Work<Answer>,
): Promise<Answer> {
  const { columns } = await getDataset(workspaceId, datasetId)
  const file = await openUpload(workspaceId, upload_id, now)
  return withCopy(file, async (copy) => {
    const job = await jobFor(workspaceId, datasetId, copy, wanted, columns)
    const batches = readLeadRows(copy.path, job)
    return inTransaction(pool(), async (client) => {
      const read = await loadTable(client, batches)
      return work(client, job.sheet, read)
    })
  })
}

async function jobFor(
  workspaceId: string,
  datasetId: string,
  copy: WorkingCopy,
  { sheet: wanted, mapping: given }: Table,
  columns: LeadColumns,
) {
  // A dataset that already has rows without an address accepts more of them.
  const { rows } = await pool().query<{ is_without: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM dataset_rows WHERE dataset_id = $1 AND workspace_id = $2 AND email IS NULL) AS is_without`,
    [datasetId, workspaceId],
  )
  const pipeline_type = rows[0]?.is_without ? ('enrichment' as const) : undefined
  const ask = { sheet: wanted, mapping: given, pipeline_type }
  // Our own mapping needs no confirmation before it is used.
  const first = await readyForImport(workspaceId, copy, given ? ask : { ...ask, pipeline_type: 'enrichment' })
  const names = first.sheet.columns.map(({ name }) => name)
  const keys = knownKeys(names, columns)
  const mapping = given ?? tableMapping(names, keys, ColumnMapping.parse(first.sheet.suggested_mapping))
  const { preview, sheet } = given ? first : await readyForImport(workspaceId, copy, { ...ask, mapping })
  return {
    dataset_id: datasetId,
    workspace_id: workspaceId,
    filename: preview.filename,
    sheet: sheet.name,
    mapping,
    email_required: pipeline_type === undefined,
    keys: [...keys],
  }
}

async function compareAnew(client: PoolClient, datasetId: string) {
  await compareRows(client, datasetId)
  const { rows } = await client.query<{ digest: string }>(
    `SELECT md5(coalesce((SELECT string_agg(md5(concat_ws('|', c.place, c.lead_index, c.data::text, c.old::text)), '' ORDER BY c.place)
         FROM compared c WHERE c.lead_index IS NULL OR c.patch IS NOT NULL), '') || '/' ||
       coalesce((SELECT string_agg(g.lead_index || ' ' || g.waiting_leads, ',' ORDER BY g.lead_index) FROM gone_rows g), '')) AS digest`,
  )
  return { digest: rows[0]?.digest ?? '' }
}

type Counts = {
  added: number
  changed: number
  cells: number
  unchanged: number
  named: number
  given: number
}
type Cells = Record<string, string>
type Changed = { lead_index: number; email: string | null; before: Cells; after: Cells }
type Refused = { code: RejectCode; count: number; samples: DatasetReject[] }

async function readChanges(client: PoolClient, datasetId: string) {
  const { digest } = await compareAnew(client, datasetId)
  const { rows: counts } = await client.query<Counts>(
    `SELECT count(*) FILTER (WHERE lead_index IS NULL)::int AS added, count(patch)::int AS changed,
       coalesce(sum((SELECT count(*) FROM jsonb_object_keys(patch))) FILTER (WHERE patch IS NOT NULL), 0)::int AS cells,
       count(*) FILTER (WHERE lead_index IS NOT NULL AND patch IS NULL)::int AS unchanged, count(*)::int AS named,
       (SELECT count(*)::int FROM incoming_rows) AS given FROM compared`,
  )
  const { rows: added } = await client.query<{ data: Cells }>(
    'SELECT data FROM compared WHERE lead_index IS NULL ORDER BY place LIMIT $1',
    [MAX_COMPARED],
  )
  const { rows: changed } = await client.query<Changed>(
    `SELECT lead_index, old ->> 'email' AS email, patch AS after,
       coalesce((SELECT jsonb_object_agg(key, old -> key) FROM jsonb_object_keys(patch) key WHERE old ? key), '{}') AS before
     FROM compared WHERE patch IS NOT NULL ORDER BY place LIMIT $1`,
    [MAX_COMPARED],
  )
  const { rows: gone } = await client.query<{ count: number; waiting_leads: number }>(
    'SELECT count(*)::int AS count, coalesce(sum(waiting_leads), 0)::int AS waiting_leads FROM gone_rows',
  )
  const { rows: named } = await client.query<{
    lead_index: number
    email: string | null
    waiting_leads: number
  }>(
    `SELECT lead_index, email, waiting_leads FROM gone_rows ORDER BY waiting_leads > 0 DESC, lead_index LIMIT $1`,
    [MAX_COMPARED],
  )
  const { rows: refused } = await client.query<Refused>(
    `SELECT code, max(count)::int AS count, jsonb_agg(to_jsonb(r) - 'dataset_id' - 'workspace_id' - 'nth' - 'count' ORDER BY row_number)
         FILTER (WHERE nth <= 3) AS samples
     FROM (SELECT *, row_number() OVER (PARTITION BY code ORDER BY row_number) AS nth, count(*) OVER (PARTITION BY code) AS count
       FROM incoming_rejects) r GROUP BY code ORDER BY 2 DESC, 1`,
  )
  const count = counts[0] ?? { added: 0, changed: 0, cells: 0, unchanged: 0, named: 0, given: 0 }
  return {
    digest,
    added: { count: count.added, samples: added },
    changed: { count: count.changed, cells: count.cells, samples: changed },
    gone: { count: gone[0]?.count ?? 0, waiting_leads: gone[0]?.waiting_leads ?? 0, samples: named },
    unchanged: count.unchanged,
    repeated: count.given - count.named,
    refused,
  }
}

/** The dataset's columns followed by those columns of the table that now have values. */
async function grownColumns(
  client: PoolClient,
  { columns, row_count }: LockedDataset,
  read: LeadColumns,
  { add, update }: Asked,
): Promise<LeadColumns> {
  const { rows } = await client.query<{ key: string }>(
    `SELECT DISTINCT key FROM compared c CROSS JOIN LATERAL jsonb_object_keys(coalesce(c.patch, c.data)) key
     WHERE (c.lead_index IS NULL AND $1) OR (c.patch IS NOT NULL AND $2)`,
    [add, update],
  )
  const used = new Set(rows.map(({ key }) => key))
  const known = new Set(columns.map(({ key }) => key))
  const grown = [...columns, ...read.filter(({ key }) => used.has(key) && !known.has(key))]
  if (grown.length > MAX_COLUMNS)
    throw new AppError('bad_request', { message: `A dataset has at most ${MAX_COLUMNS} columns.` })
  const { rows: counted } = await client.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM compared WHERE lead_index IS NULL AND $1',
    [add],
  )
  if (row_count + (counted[0]?.count ?? 0) > MAX_ROWS)
    throw new AppError('bad_request', { message: `A dataset has at most ${MAX_ROWS} rows.` })
  return grown
}

/** Adds the new rows after the last place ever used, in table order. */
async function addNew(client: PoolClient, dataset: LockedDataset): Promise<number> {
  const { rowCount } = await client.query(
    `INSERT INTO dataset_rows (dataset_id, workspace_id, lead_index, email, data)
     SELECT $1, $2, $3::int + row_number() OVER (ORDER BY place) - 1, email, data FROM compared WHERE lead_index IS NULL`,
    [dataset.dataset_id, dataset.workspace_id, dataset.next_lead_index],
  )
  return rowCount ?? 0
}

async function writeChanged(client: PoolClient, datasetId: string): Promise<number[]> {
  const { rows } = await client.query<{ lead_index: number }>(
    `UPDATE dataset_rows r SET data = r.data || c.patch, version = r.version + 1 FROM compared c
     WHERE r.dataset_id = $1 AND r.lead_index = c.lead_index AND c.patch IS NOT NULL RETURNING r.lead_index`,
    [datasetId],
  )
  return rows.map(({ lead_index }) => lead_index)
}

/**
 * Deletes the rows that are gone. Their places stay empty, and their leads are still found by their own
 * columns.
 */
async function removeGone(client: PoolClient, datasetId: string): Promise<number[]> {
  const { rows } = await client.query<{ lead_index: number }>(
    `DELETE FROM dataset_rows r USING gone_rows g WHERE r.dataset_id = $1 AND r.lead_index = g.lead_index
     RETURNING r.lead_index`,
    [datasetId],
  )
  const places = rows.map(({ lead_index }) => lead_index)
  await client.query(
    `UPDATE dataset_texts SET names = '', email = '', is_loose = true WHERE dataset_id = $1 AND lead_index = ANY ($2)`,
    [datasetId, places],
  )
  return places
}
