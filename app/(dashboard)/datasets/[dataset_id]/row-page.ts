import { type RowLine, rowLine } from '#components/datasets/row-line'
import type { RowPage } from '#components/lists/use-row-pages'
import { ListDatasetRows } from '#lib/contracts/datasets/datasets'
import { listDatasetRows } from '#lib/services/datasets/datasets'
import { loadProvenance } from '#lib/services/enrichment/sessions'
import { orNotFound, parseQuery } from '../../../page-input.ts'

/** Page size of a long list: several screens of rows. */
const PAGE_SIZE = 50

/** The query for the rows, and the part of it that stays from page to page. */
export function rowsQuery(params: unknown) {
  const { page, page_size: _, ...filters } = parseQuery(ListDatasetRows.query, params)
  return { filters, query: { ...filters, page, page_size: PAGE_SIZE } }
}

type Asked = ReturnType<typeof rowsQuery>['query']

export async function rowPage(
  workspaceId: string,
  datasetId: string,
  query: Asked,
): Promise<RowPage<RowLine>> {
  const page = await orNotFound(listDatasetRows(workspaceId, datasetId, query))
  const { items, ...list } = ListDatasetRows.response.parse(page)
  const filled = await loadProvenance(
    workspaceId,
    datasetId,
    items.map(({ lead_index }) => lead_index),
  )
  return { ...list, items: items.map((row) => rowLine(row, filled[row.lead_index])) }
}
