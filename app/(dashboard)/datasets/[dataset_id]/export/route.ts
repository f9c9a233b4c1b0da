import { ExportDataset } from '#lib/contracts/datasets/datasets'
import { fileResponse } from '#lib/http/route'
import { requireUser } from '#lib/http/session'
import { exportDataset } from '#lib/services/datasets/export'
import { orNotFound, parseParams, parseQuery } from '../../../../page-input.ts'

/** The same file that the API answers, for a signed-in browser. */
export async function GET(request: Request, { params }: RouteContext<'/datasets/[dataset_id]/export'>) {
  const user = await requireUser()
  const { dataset_id } = parseParams(ExportDataset.params, await params)
  const query = parseQuery(ExportDataset.query, Object.fromEntries(new URL(request.url).searchParams))
  return fileResponse(await orNotFound(exportDataset(user.workspace_id, dataset_id, query)))
}
