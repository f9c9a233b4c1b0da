import type { PoolClient } from 'pg'
import { copyLines, DATASET_REJECTS, DATASET_ROWS } from '#lib/db/copy'
import { readEmailCell } from '#lib/domain/datasets/email-address'
import { profileKeySql } from '#lib/services/leads/enrolment-rule'
import type { LeadBatch, LeadColumns } from '#lib/services/reading/lead-rows'

/** What identifies rows without an address from one table to the next. */
const PROFILE = `nullif(${profileKeySql('linkedin')}, '')`

/** SQL: what identifies row `r`: its address, else its profile, else all of its cells. */
const NAME = `CASE WHEN r.email IS NOT NULL THEN 'address ' || r.email
  WHEN ${PROFILE} IS NOT NULL THEN 'profile ' || ${PROFILE} ELSE 'cells ' || md5(r.data::text) END`

/** SQL: the cells of table row `i` that dataset row `d` lacks or has with another value. */
const PATCH = `(SELECT jsonb_object_agg(c.key, c.value) FROM jsonb_each(i.data) c
  WHERE d.data -> c.key IS DISTINCT FROM c.value)`

const LOADING = `
  CREATE TEMP TABLE incoming_rows (dataset_id UUID, lead_index INT, workspace_id UUID, email TEXT, data JSONB) ON COMMIT DROP;
  CREATE TEMP TABLE incoming_rejects (dataset_id UUID, workspace_id UUID, row_number INT, cell TEXT, column_name TEXT,
    code TEXT, reason TEXT, value TEXT, data JSONB) ON COMMIT DROP`

/**
 * Loads the rows of a table into temporary tables of this transaction, before any dataset row is locked.
 * Returns the table's columns.
 */
export async function loadTable(
  client: PoolClient,
  batches: AsyncGenerator<LeadBatch, LeadColumns>,
): Promise<LeadColumns> {
  await client.query(LOADING)
  try {
    let next = await batches.next()
    for (; !next.done; next = await batches.next()) {
      const { kept, rows, refused, rejects } = next.value
      if (kept > 0) await copyLines(client, { ...DATASET_ROWS, table: 'incoming_rows' }, [rows])
      if (refused > 0) await copyLines(client, { ...DATASET_REJECTS, table: 'incoming_rejects' }, [rejects])
    }
    // New tables have no statistics, and Postgres would assume that they are empty.
    await client.query('ANALYZE incoming_rows')
    return next.value
  } finally {
    await batches.return([])
  }
}

/**
 * Matches the table's rows to the dataset's as `compared`: for each identity in the table, the dataset row
 * that has it and the cells that would change. `gone_rows` are dataset rows missing from the table.
 */
export async function compareRows(client: PoolClient, datasetId: string): Promise<void> {
  await client.query(`CREATE TEMP TABLE known_names ON COMMIT DROP AS
    SELECT ''::text AS name, r.lead_index FROM dataset_rows r WHERE false`)
  await client.query(
    `INSERT INTO known_names SELECT name, min(lead_index) FROM (
       SELECT 'address ' || r.email AS name, r.lead_index FROM dataset_rows r
       WHERE r.dataset_id = $1 AND r.email IS NOT NULL
       UNION ALL SELECT 'profile ' || ${PROFILE}, r.lead_index FROM dataset_rows r
       WHERE r.dataset_id = $1 AND ${PROFILE} IS NOT NULL
       UNION ALL SELECT ${NAME}, r.lead_index FROM dataset_rows r
       WHERE r.dataset_id = $1 AND r.email IS NULL AND ${PROFILE} IS NULL) named GROUP BY name`,
    [datasetId],
  )
  await client.query('ANALYZE known_names')
  await client.query(`CREATE TEMP TABLE compared (place INT, name TEXT, email TEXT, data JSONB, lead_index INT, old JSONB, patch JSONB)
    ON COMMIT DROP`)
  await client.query(
    `INSERT INTO compared
     SELECT i.place, i.name, i.email, i.data, d.lead_index, d.data, CASE WHEN d.lead_index IS NOT NULL THEN ${PATCH} END
     FROM (SELECT DISTINCT ON (coalesce(k.lead_index::text, named.name)) named.*, k.lead_index FROM (
         SELECT r.lead_index AS place, ${NAME} AS name, r.email, r.data FROM incoming_rows r) named
       LEFT JOIN known_names k ON k.name = named.name
       ORDER BY coalesce(k.lead_index::text, named.name), named.place) i
     LEFT JOIN dataset_rows d ON d.dataset_id = $1 AND d.lead_index = i.lead_index`,
    [datasetId],
  )
  await client.query('ANALYZE compared')
  await client.query(
    `CREATE TEMP TABLE gone_rows (lead_index INT, email TEXT, waiting_leads INT) ON COMMIT DROP`,
  )
  await client.query(
    `INSERT INTO gone_rows
     SELECT r.lead_index, r.email, (SELECT count(*) FROM campaigns c
         JOIN campaign_leads l ON l.campaign_id = c.campaign_id AND l.lead_index = r.lead_index
         WHERE c.dataset_id = $1 AND l.status IN ('pending', 'active'))
     FROM dataset_rows r LEFT JOIN incoming_rows same ON same.email = r.email
     WHERE r.dataset_id = $1 AND same.email IS NULL
       AND NOT EXISTS (SELECT 1 FROM compared c WHERE c.lead_index = r.lead_index)
       AND NOT EXISTS (SELECT 1 FROM compared c WHERE c.name = ${NAME})`,
    [datasetId],
  )
  await keepRefused(client)
}

/** Rows of the dataset named by a refused row of the table are not gone. */
async function keepRefused(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ cell: string }>(
    `SELECT DISTINCT data ->> 'email' AS cell FROM incoming_rejects WHERE data ? 'email'`,
  )
  const readings = rows.map(({ cell }) => readEmailCell(cell))
  const emails = readings.flatMap((reading) => (reading.kind === 'address' ? reading.email : []))
  await client.query(
    `DELETE FROM gone_rows g USING known_names k WHERE k.lead_index = g.lead_index AND k.name IN (
       SELECT 'address ' || email FROM unnest($1::text[]) email
       UNION ALL SELECT 'profile ' || ${PROFILE} FROM incoming_rejects r WHERE ${PROFILE} IS NOT NULL)`,
    [emails],
  )
}
