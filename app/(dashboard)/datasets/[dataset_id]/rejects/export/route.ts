import { ExportDataset } from '#lib/contracts/datasets/datasets'
import { fileResponse } from '#lib/http/route'
import { requireUser } from '#lib/http/session'
import { exportRejects } from '#lib/services/datasets/reject-export'
import { orNotFound, parseParams, parseQuery } from '../../../../../page-input.ts'

/** The refused rows as a file, to be corrected and imported again. */
export async function GET(
  request: Request,
  { params }: RouteContext<'/datasets/[dataset_id]/rejects/export'>,
) {
  const user = await requireUser()
  const { dataset_id } = parseParams(ExportDataset.params, await params)
  const query = parseQuery(ExportDataset.query, Object.fromEntries(new URL(request.url).searchParams))
  return fileResponse(await orNotFound(exportRejects(user.workspace_id, dataset_id, query)))
}
