import type { z } from 'zod'
import {
  KeptReject,
  type ListDatasetRejects,
  type ListDatasetRows,
  type ListDatasets,
  MAX_ROWS_SEARCHED_WHOLE,
  type PIPELINE_TYPES,
  RenameDataset,
} from '#lib/contracts/datasets/datasets'
import { db, pool } from '#lib/db/client'
import type { Prisma } from '#lib/db/generated/client'
import type { DatasetModel, DatasetSessionModel } from '#lib/db/generated/models'
import { bytesPattern, containsPattern, jsonPattern, likeText } from '#lib/db/like'
import { firstRow, inOrder, orderBy, pageAndTotal, rowsOfPage } from '#lib/db/page'
import { hidden, prepared } from '#lib/db/prepared'
import { inSnapshot } from '#lib/db/transaction'
import type { AlsoIn } from '#lib/domain/datasets/also-in'
import { AppError } from '#lib/errors'
import { ALSO_IN_SQL } from '#lib/services/datasets/also-in'
import { INDEXED_TEXT, searchTextSql } from '#lib/services/datasets/lead-search'
import { storedColumns } from '#lib/services/datasets/stored'
import { edit } from '#lib/services/instance/versioned-edit'

const NO_SESSION = {
  session_id: null,
  status: null,
  pipeline_type: null,
  work: null,
  leads_count: null,
  processed_count: null,
  failed_count: null,
  progress_percentage: null,
  filename: null,
  error: null,
  session_created_at: null,
  session_updated_at: null,
  completed_at: null,
}

/** A dataset is listed with its newest session. */
const withLatest = (of: { pipeline_type?: (typeof PIPELINE_TYPES)[number] } = {}) => ({
  sessions: { where: of, orderBy: { session_created_at: 'desc' as const }, take: 1 },
})

type WithSessions = DatasetModel & { sessions: DatasetSessionModel[] }

export type DatasetColumn = { name: string; key: string }

function listed({ sessions: [session], ...dataset }: WithSessions) {
  const columns = storedColumns(dataset)
  if (!session) return { ...NO_SESSION, ...dataset, columns }
  const { processed_count, leads_count, status } = session
  const share = leads_count > 0 ? processed_count / leads_count : 0
  const progress_percentage = status === 'completed' ? 100 : Math.min(100, Math.round(share * 1_000) / 10)
  return { ...session, ...dataset, columns, progress_percentage }
}

const SORTED_BY: Record<string, string> = {
  dataset_name: 'lower(d.dataset_name)',
  row_count: 'd.row_count',
  reject_count: 'd.reject_count',
  created_at: 'd.created_at',
}

export async function listDatasets(workspaceId: string, query: z.output<typeof ListDatasets.query>) {
  const { page, page_size, search, pipeline_type, sort = '-created_at' } = query
  const where = {
    workspace_id: workspaceId,
    ...(search ? { dataset_name: { contains: likeText(search), mode: 'insensitive' as const } } : {}),
    ...(pipeline_type ? { sessions: { some: { pipeline_type } } } : {}),
  }
  const [{ rows: ids }, total_count] = await Promise.all([
    pool().query<{ dataset_id: string }>(
      `SELECT d.dataset_id FROM datasets d WHERE d.workspace_id = $1 AND ($2::text IS NULL OR d.dataset_name ILIKE $2)
         AND ($3::text IS NULL OR EXISTS (
           SELECT 1 FROM dataset_sessions s WHERE s.dataset_id = d.dataset_id AND s.pipeline_type::text = $3))
       ORDER BY ${orderBy(sort, SORTED_BY, 'd.dataset_id DESC')} OFFSET $4 LIMIT $5`,
      [
        workspaceId,
        search ? `%${likeText(search)}%` : null,
        pipeline_type ?? null,
        firstRow({ page, page_size }),
        page_size,
      ],
    ),
    db.dataset.count({ where }),
  ])
  const shown = ids.map(({ dataset_id }) => dataset_id)
  // One snapshot, because an import that ends between reading the dataset and its session would look completed without rows.
  const unordered = await inSnapshot(db, (tx) =>
    tx.dataset.findMany({
      where: { workspace_id: workspaceId, dataset_id: { in: shown } },
      include: withLatest(pipeline_type ? { pipeline_type } : {}),
    }),
  )
  const rows = inOrder(shown, unordered, ({ dataset_id }) => dataset_id)
  return { datasets: rows.map(listed), total_count, page, page_size }
}

export async function getDataset(workspaceId: string, datasetId: string) {
  const where = { dataset_id: datasetId, workspace_id: workspaceId }
  const row = await inSnapshot(db, (tx) => tx.dataset.findFirst({ where, include: withLatest() }))
  if (!row) throw new AppError('dataset_not_found')
  return listed(row)
}

export async function renameDataset(
  workspaceId: string,
  datasetId: string,
  { dataset_name, version }: z.output<typeof RenameDataset.body>,
) {
  const key = { dataset_id: datasetId, workspace_id: workspaceId }
  return edit({
    table: 'datasets',
    key,
    version,
    missing: 'dataset_not_found',
    current: async () => RenameDataset.response.parse(await getDataset(workspaceId, datasetId)),
    write: (tx) => tx.dataset.update({ where: key, data: { dataset_name } }),
  })
}

type ListedRow = { lead_index: number; email: string | null; data: Record<string, string>; version: number }

/** SQL: one page of a dataset's rows. Only the dataset compares the workspace, see docs/decisions/0100-lists-without-statistics.md. */
const rowsSql = (total: string, page: string) =>
  `SELECT ${total} AS total, page.* FROM datasets d LEFT JOIN LATERAL (
     SELECT r.lead_index, r.email, r.data, r.version FROM dataset_rows r WHERE r.dataset_id = d.dataset_id ${page}) page ON true
   WHERE d.dataset_id = $1 AND d.workspace_id = $2 ORDER BY page.lead_index`
/** If no row was removed, a page deep in the table is found by row number, without counting up to it. */
const FIRST_OF_PAGE = `CASE WHEN d.row_count = (SELECT max(lead_index) + 1 FROM dataset_rows WHERE dataset_id = d.dataset_id)
  THEN ${hidden('$3::int')}
  ELSE (SELECT lead_index FROM dataset_rows WHERE dataset_id = d.dataset_id
    ORDER BY lead_index OFFSET ${hidden('$3::int')} LIMIT 1) END`
const ROWS = rowsSql(
  'd.row_count',
  `AND r.lead_index >= ${FIRST_OF_PAGE} ORDER BY r.lead_index LIMIT ${hidden('$4::int')}`,
)
/** Matches are looked up once, for both the page and the total. */
const foundRows = (found: string) => `WITH found AS MATERIALIZED (${found})
  ${rowsSql(
    '(SELECT count(*)::int FROM found)',
    'AND r.lead_index IN (SELECT lead_index FROM found ORDER BY lead_index OFFSET $3 LIMIT $4)',
  )}`
/** SQL: a page of all rows, or of those that `matches` finds, ordered by the cell `key`. Only row numbers are sorted. */
const sortedRows = (matches: string | null, key: string, isDown: boolean) => {
  const cell = `nullif(btrim(r.data ->> ${key}), '')`
  const size = `CASE WHEN ${cell} ~ '^-?[0-9]{1,15}([.][0-9]{1,9})?$' THEN (${cell})::numeric END`
  const way = `${isDown ? 'DESC' : 'ASC'} NULLS LAST`
  const total = matches ? '(SELECT count(*)::int FROM found)' : 'd.row_count'
  const onlyFound = matches ? 'AND r.lead_index IN (SELECT lead_index FROM found)' : ''
  return `${matches ? `WITH found AS MATERIALIZED (${matches})` : ''}
  SELECT ${total} AS total, page.lead_index, page.email, page.data, page.version FROM datasets d LEFT JOIN LATERAL (
     SELECT r.lead_index, r.email, r.data, r.version, places.place FROM (
       SELECT sorted.lead_index, row_number() OVER () AS place FROM (
         SELECT r.lead_index FROM dataset_rows r WHERE r.dataset_id = $1 AND r.workspace_id = $2 ${onlyFound}
         ORDER BY ${size} ${way}, lower(${cell}) ${way}, r.lead_index OFFSET $3 LIMIT $4) sorted) places
     JOIN dataset_rows r ON r.dataset_id = $1 AND r.workspace_id = $2 AND r.lead_index = places.lead_index) page ON true
   WHERE d.dataset_id = $1 AND d.workspace_id = $2 ORDER BY page.place`
}
/**
 * Rows whose text matches: from the index, which covers rows before $7, and from the rows it does not cover yet. $7 is read beforehand and
 * passed in, since without it the planner expects to read a third of the rows.
 */
const SEARCHED = `SELECT s.lead_index FROM dataset_texts s WHERE s.dataset_id = $1 AND s.workspace_id = $2
      AND s.lead_index < $7 AND ${INDEXED_TEXT} LIKE $6 AND (s.email LIKE $5 OR s.names LIKE $5)
    UNION ALL SELECT r.lead_index FROM dataset_rows r WHERE r.dataset_id = $1 AND r.workspace_id = $2 AND r.lead_index >= $7
      AND (r.email LIKE $5 OR ${searchTextSql('r')} LIKE $5)`
/**
 * Searches every cell, and names that span cells, in datasets small enough to be read whole. Most rows are ruled out by the JSON text of
 * all their cells.
 */
const SEARCHED_WHOLE = `SELECT r.lead_index FROM dataset_rows r WHERE r.dataset_id = $1 AND r.workspace_id = $2
    AND (r.email LIKE $5 OR ${searchTextSql('r')} LIKE $5 OR lower(r.data::text) LIKE $6
      AND EXISTS (SELECT 1 FROM jsonb_each_text(r.data) cell WHERE lower(cell.value) LIKE $5))`
const alsoInRows = (also_in: AlsoIn, searched: string | null) => `SELECT r.lead_index FROM dataset_rows r
  WHERE r.dataset_id = $1 AND r.workspace_id = $2 AND r.email IS NOT NULL AND ${ALSO_IN_SQL[also_in]}
    ${searched ? `AND r.lead_index IN (${searched})` : ''}`

/** The SQL of a search, and its parameters. */
async function searchRows(workspaceId: string, datasetId: string, search: string) {
  const dataset = await db.dataset.findFirst({
    where: { dataset_id: datasetId, workspace_id: workspaceId },
    select: { row_count: true, searched_to: true },
  })
  return dataset && dataset.row_count > MAX_ROWS_SEARCHED_WHOLE
    ? { searched: SEARCHED, words: [containsPattern(search), bytesPattern(search), dataset.searched_to] }
    : { searched: SEARCHED_WHOLE, words: [containsPattern(search), jsonPattern(search)] }
}

export async function listDatasetRows(
  workspaceId: string,
  datasetId: string,
  { page, page_size, search, also_in, sort }: z.output<typeof ListDatasetRows.query>,
) {
  const values = [datasetId, workspaceId, firstRow({ page, page_size }), page_size]
  const { words, searched } = search
    ? await searchRows(workspaceId, datasetId, search)
    : { words: [], searched: null }
  const matches = also_in ? alsoInRows(also_in, searched) : searched
  const isDown = sort?.startsWith('-') ?? false
  // Not prepared, so that each search gets its own plan: a name and a single letter need different ones.
  const asked = sort
    ? {
        text: sortedRows(matches, `$${values.length + words.length + 1}`, isDown),
        values: [...values, ...words, isDown ? sort.slice(1) : sort],
      }
    : matches
      ? { text: foundRows(matches), values: [...values, ...words] }
      : prepared(ROWS, values)
  const { rows } = await pool().query<ListedRow & { total: number }>(asked)
  const listing = pageAndTotal<ListedRow>(rows, 'lead_index')
  if (!listing) throw new AppError('dataset_not_found')
  return { ...listing, page, page_size }
}

/** Rejects with the same value keep the order of the file. */
function rejectOrder(sort: string | undefined): Prisma.DatasetRejectOrderByWithRelationInput[] {
  const way = sort?.startsWith('-') ? 'desc' : 'asc'
  const column = sort?.replace('-', '')
  if (column === 'row_number' || column === 'code') return [{ [column]: way }]
  if (column === 'column_name' || column === 'value') return [{ [column]: { sort: way, nulls: 'last' } }]
  return []
}

export async function listDatasetRejects(
  workspaceId: string,
  datasetId: string,
  { page, page_size, sort }: z.output<typeof ListDatasetRejects.query>,
) {
  const dataset = await getDataset(workspaceId, datasetId)
  const rejects = await db.datasetReject.findMany({
    where: { dataset_id: datasetId, workspace_id: workspaceId },
    orderBy: [...rejectOrder(sort), { row_number: 'asc' }, { reject_id: 'asc' }],
    ...rowsOfPage({ page, page_size }),
  })
  // Only the import writes these: text by column.
  const items = rejects.map((reject) => ({ ...reject, data: KeptReject.shape.data.parse(reject.data) }))
  return { items, total: dataset.reject_count, page, page_size }
}

/** Refused while any campaign uses it: a campaign's leads read their cells from here. */
export async function deleteDataset(workspaceId: string, datasetId: string): Promise<void> {
  await getDataset(workspaceId, datasetId)
  const users = await db.campaign.count({ where: { dataset_id: datasetId } })
  if (users > 0) throw new AppError('dataset_in_use')
  await db.dataset.deleteMany({ where: { dataset_id: datasetId, workspace_id: workspaceId } })
}
