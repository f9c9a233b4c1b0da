import { pool } from '#lib/db/client'

/** The `rule` parameters below are the `datasetRule` of this dataset. */
type Owned = { workspace_id: string; dataset_id: string }

/** How many rows a launch would enrol as leads to contact, and how many it would skip, by reason. */
export async function rowsByFate({ workspace_id, dataset_id }: Owned, rule: string) {
  const { rows } = await pool().query<{ reason: string | null; count: number }>(
    `SELECT split_part(why.reason, ':', 1) AS reason, count(*)::int AS count FROM dataset_rows r ${rule}
     WHERE r.workspace_id = $1 AND r.dataset_id = $2 GROUP BY 1 ORDER BY 2 DESC`,
    [workspace_id, dataset_id],
  )
  return {
    leads: rows.find((row) => row.reason === null)?.count ?? 0,
    passed_over: rows.flatMap(({ reason, count }) => (reason === null ? [] : [{ reason, count }])),
  }
}

/** Among the leads to contact, how many have no value for a field, with the first of them. */
export async function emptyFields({ workspace_id, dataset_id }: Owned, fields: string[], rule: string) {
  if (fields.length === 0) return []
  const { rows } = await pool().query<{
    field: string
    count: number
    lead_index: number
    email: string | null
  }>(
    `SELECT f.field, count(*)::int AS count, min(r.lead_index) AS lead_index,
       (array_agg(r.email ORDER BY r.lead_index))[1] AS email
     FROM dataset_rows r ${rule} CROSS JOIN unnest($3::text[]) f (field)
     WHERE r.workspace_id = $1 AND r.dataset_id = $2 AND why.reason IS NULL
       AND coalesce(btrim(r.data ->> f.field, E' \\t\\r\\n'), '') = ''
     GROUP BY f.field ORDER BY f.field`,
    [workspace_id, dataset_id, fields],
  )
  return rows
}

/** How many of the rows with an address are unverified. */
export async function unverifiedRows({ workspace_id, dataset_id }: Owned) {
  const { rows } = await pool().query<{ all: number; unverified: number }>(
    `SELECT count(*)::int AS all, (count(*) FILTER (WHERE v.email IS NULL))::int AS unverified
     FROM dataset_rows r LEFT JOIN email_verifications v USING (workspace_id, email)
     WHERE r.workspace_id = $1 AND r.dataset_id = $2 AND r.email IS NOT NULL`,
    [workspace_id, dataset_id],
  )
  return rows[0] ?? { all: 0, unverified: 0 }
}
