import { db } from '#lib/db/client'
import { SESSIONS_UNDER_WAY } from '#lib/domain/datasets/session-moves'

/** Why a dataset has no rows: an import is under way, or none was made. */
export async function whyWithoutRows({
  dataset_id,
  workspace_id,
}: {
  dataset_id: string
  workspace_id: string
}) {
  const underWay = { status: { in: [...SESSIONS_UNDER_WAY] } }
  const coming = await db.datasetSession.count({ where: { dataset_id, workspace_id, ...underWay } })
  return coming > 0 ? 'dataset_busy' : 'dataset_empty'
}
