import { type Statements, sqlList } from '#lib/db/statements'
import type { CampaignStatus } from '#lib/domain/campaigns/campaign-status'
import { SESSIONS_UNDER_WAY } from '#lib/domain/datasets/session-moves'
import { AppError } from '#lib/errors'
import type { DatasetColumn } from '#lib/services/datasets/datasets'

export type LockedDataset = {
  dataset_id: string
  workspace_id: string
  columns: DatasetColumn[]
  row_count: number
  /** The place of the next added row. */
  next_lead_index: number
}

/**
 * Locks a dataset, so that its rows cannot be added, edited or removed by others until the transaction ends.
 * Refused while a session works on it; none can start meanwhile, since that takes a shared lock. Lock order:
 * dataset, campaigns, leads. A transaction that holds a campaign may still reference its dataset: Postgres
 * checks that foreign key again at the second change of a row in one transaction.
 */
export async function lockDataset(
  client: Statements,
  workspaceId: string,
  datasetId: string,
): Promise<LockedDataset> {
  const { rows } = await client.query<LockedDataset>(
    `SELECT dataset_id, workspace_id, columns, row_count, next_lead_index FROM datasets
     WHERE dataset_id = $1::uuid AND workspace_id = $2::uuid FOR NO KEY UPDATE`,
    [datasetId, workspaceId],
  )
  const [dataset] = rows
  if (!dataset) throw new AppError('dataset_not_found')
  // Read after the lock is held, so that everything committed before is visible.
  const { rows: known } = await client.query<{ is_busy: boolean; behind_last: number }>(
    `SELECT EXISTS (SELECT 1 FROM dataset_sessions WHERE dataset_id = $1::uuid
         AND status IN (${sqlList(SESSIONS_UNDER_WAY)})) AS is_busy,
       coalesce((SELECT max(lead_index) + 1 FROM dataset_rows WHERE dataset_id = $1::uuid), 0) AS behind_last`,
    [datasetId],
  )
  if (known[0]?.is_busy) throw new AppError('dataset_busy')
  const next = Math.max(dataset.next_lead_index, known[0]?.behind_last ?? 0)
  return { ...dataset, next_lead_index: next }
}

/**
 * Locks the campaigns over a dataset. Refused while one of them is launching, because a launch reads the rows
 * as they are.
 */
export async function lockCampaignsOver(client: Statements, datasetId: string): Promise<string[]> {
  const { rows } = await client.query<{ campaign_id: string; status: CampaignStatus }>(
    `SELECT campaign_id, status::text AS status FROM campaigns WHERE dataset_id = $1::uuid
     ORDER BY campaign_id FOR NO KEY UPDATE`,
    [datasetId],
  )
  if (rows.some(({ status }) => status === 'launching'))
    throw new AppError('dataset_busy', {
      message: 'A campaign on this dataset is being launched. Try again in a moment.',
    })
  return rows.map(({ campaign_id }) => campaign_id)
}
