import { ListDatasetRows } from '#lib/contracts/datasets/datasets'
import { requireUser } from '#lib/http/session'
import { parseParams } from '../../../../page-input.ts'
import { rowPage, rowsQuery } from '../row-page.ts'

/** Further rows of the table, as it scrolls. */
export async function GET(request: Request, { params }: RouteContext<'/datasets/[dataset_id]/rows'>) {
  const user = await requireUser()
  const { dataset_id } = parseParams(ListDatasetRows.params, await params)
  const { query } = rowsQuery(Object.fromEntries(new URL(request.url).searchParams))
  const page = await rowPage(user.workspace_id, dataset_id, query)
  return Response.json(page, { headers: { 'cache-control': 'no-store' } })
}
