import { jsonText } from '#lib/db/json-text'
import type { Statements } from '#lib/db/statements'
import { profileFields } from '#lib/domain/social/social-profile'
import type { DatasetColumn } from '#lib/services/datasets/datasets'
import { profileKeySql } from '#lib/services/leads/enrolment-rule'
import type { LockedDataset } from '#lib/services/leads/rows/locked-dataset'

export type KeptRow = { index: number; email: string | null; cells: Record<string, string> }

/** The network whose profile identifies people without an address from one list to the next. */
const PROFILE_NETWORK = 'linkedin'

/** The dataset row of each address; the first one if several have it. */
export async function findByAddress(
  client: Statements,
  datasetId: string,
  emails: string[],
): Promise<Map<string, number>> {
  const { rows } = await client.query<{ email: string; lead_index: number }>(
    `SELECT email, min(lead_index) AS lead_index FROM dataset_rows
     WHERE dataset_id = $1::uuid AND email = ANY ($2::text[]) GROUP BY email`,
    [datasetId, emails],
  )
  return new Map(rows.map(({ email, lead_index }) => [email, lead_index]))
}

type SameProfile = { index: number; first_index: number; lead_index: number | null }

/** For rows with a profile: which of them has it first, and the dataset row that has it. */
export async function findByProfile(
  client: Statements,
  datasetId: string,
  given: KeptRow[],
): Promise<Map<number, SameProfile>> {
  const fields = profileFields(PROFILE_NETWORK)
  if (!given.some(({ email, cells }) => email === null && fields.some((field) => cells[field])))
    return new Map()
  const key = profileKeySql(PROFILE_NETWORK)
  const { rows } = await client.query<SameProfile>(
    `WITH given AS MATERIALIZED (SELECT r.index, ${key} AS profile FROM unnest($2::int[], $3::jsonb[]) r (index, data)),
       known AS MATERIALIZED (SELECT ${key} AS profile, min(r.lead_index) AS lead_index FROM dataset_rows r
         WHERE r.dataset_id = $1::uuid AND ${key} IN (SELECT profile FROM given) GROUP BY 1)
     SELECT g.index, min(g.index) OVER (PARTITION BY g.profile) AS first_index, k.lead_index
     FROM given g LEFT JOIN known k USING (profile) WHERE g.profile IS NOT NULL`,
    [datasetId, given.map(({ index }) => index), given.map(({ cells }) => jsonText(cells))],
  )
  return new Map(rows.map((row) => [row.index, row]))
}

/** Adds rows after the last place ever used. Returns their places. */
export async function insertRows(
  client: Statements,
  { dataset_id, workspace_id, next_lead_index }: LockedDataset,
  rows: KeptRow[],
): Promise<number[]> {
  const places = rows.map((_, index) => next_lead_index + index)
  await client.query(
    `INSERT INTO dataset_rows (dataset_id, workspace_id, lead_index, email, data)
     SELECT $1::uuid, $2::uuid, n.* FROM unnest($3::int[], $4::text[], $5::jsonb[]) n`,
    [
      dataset_id,
      workspace_id,
      places,
      rows.map(({ email }) => email),
      rows.map(({ cells }) => jsonText(cells)),
    ],
  )
  return places
}

/** Overwrites cells of existing rows; a row that already has these values is left unchanged. */
export async function overwriteRows(
  client: Statements,
  datasetId: string,
  rows: { lead_index: number; cells: Record<string, string> }[],
): Promise<void> {
  await client.query(
    `UPDATE dataset_rows r SET data = r.data || p.patch, version = r.version + 1
     FROM unnest($2::int[], $3::jsonb[]) p (lead_index, patch)
     WHERE r.dataset_id = $1::uuid AND r.lead_index = p.lead_index AND NOT r.data @> p.patch`,
    [datasetId, rows.map(({ lead_index }) => lead_index), rows.map(({ cells }) => jsonText(cells))],
  )
}

export type FormerRow = { lead_index: number; data: Record<string, string> }

/** Reads the cells of rows so that they can be restored. */
export async function readCells(
  client: Statements,
  datasetId: string,
  leadIndexes: number[],
): Promise<FormerRow[]> {
  const { rows } = await client.query<FormerRow>(
    'SELECT lead_index, data FROM dataset_rows WHERE dataset_id = $1::uuid AND lead_index = ANY ($2::int[])',
    [datasetId, leadIndexes],
  )
  return rows
}

/** Restores the cells that this transaction overwrote. */
export async function putBackCells(client: Statements, datasetId: string, rows: FormerRow[]): Promise<void> {
  await client.query(
    `UPDATE dataset_rows r SET data = o.data, version = r.version - 1
     FROM unnest($2::int[], $3::jsonb[]) o (lead_index, data)
     WHERE r.dataset_id = $1::uuid AND r.lead_index = o.lead_index AND r.data <> o.data`,
    [datasetId, rows.map(({ lead_index }) => lead_index), rows.map(({ data }) => jsonText(data))],
  )
}

type Grown = { columns: DatasetColumn[]; added: number; next_lead_index: number }

/** The description of a locked dataset after its rows are written. */
export async function describeDataset(
  client: Statements,
  datasetId: string,
  { columns, added, next_lead_index }: Grown,
  now: Date,
): Promise<void> {
  await client.query(
    `UPDATE datasets SET columns = $2::jsonb, row_count = row_count + $3::int, next_lead_index = $4::int,
       updated_at = $5::timestamptz WHERE dataset_id = $1::uuid`,
    [datasetId, jsonText(columns), added, next_lead_index, now],
  )
}
