import type { Reader } from '#lib/db/client'
import type { Lock } from '#lib/domain/enrichment/proposal'
import { UNLOCKED } from '#lib/domain/enrichment/proposal'

export type BatchRow = { lead_index: number; email: string | null; data: Record<string, string>; lock: Lock }

/** Statuses in which a campaign writes to its leads, or may do so again without a new launch. */
const LIVE = `('launching', 'active', 'draining', 'paused')`

/** The next rows of a dataset, each with the locks on its cells. */
export async function loadRows(
  reader: Reader,
  datasetId: string,
  from: number,
  count: number,
): Promise<BatchRow[]> {
  const { rows } = await reader.query<Omit<BatchRow, 'lock'>>(
    `SELECT lead_index, email, data FROM dataset_rows WHERE dataset_id = $1 AND lead_index >= $2
     ORDER BY lead_index LIMIT $3`,
    [datasetId, from, count],
  )
  const locks = await loadLocks(reader, datasetId, from, (rows.at(-1)?.lead_index ?? from) + 1)
  return rows.map((row) => ({ ...row, lock: locks(row.lead_index) }))
}

/**
 * Locks that campaigns hold on the rows from `from` to before `to`. A lead keeps the address it was enrolled with, so the row's address may
 * not change. While the lead waits for a step of a live campaign, filled cells may not change either, because its messages use them. Empty
 * cells may be filled at any time, since messages then use the fallback. A launch under way reads the rows, so it locks all of them.
 */
export async function loadLocks(reader: Reader, datasetId: string, from: number, to: number) {
  const { rows: launching } = await reader.query(
    `SELECT 1 FROM campaigns WHERE dataset_id = $1 AND status = 'launching' LIMIT 1`,
    [datasetId],
  )
  const { rows } = await reader.query<{ lead_index: number; is_waiting: boolean; has_address: boolean }>(
    `SELECT l.lead_index, bool_or(c.status::text IN ${LIVE} AND l.status IN ('pending', 'active')) AS is_waiting,
       bool_or(l.email IS NOT NULL) AS has_address
     FROM campaigns c JOIN campaign_leads l USING (campaign_id)
     WHERE c.dataset_id = $1 AND l.lead_index >= $2 AND l.lead_index < $3 GROUP BY 1`,
    [datasetId, from, to],
  )
  const rowByIndex = new Map(rows.map((row) => [row.lead_index, row]))
  const isLaunching = launching.length > 0
  return (leadIndex: number): Lock => {
    const lead = rowByIndex.get(leadIndex)
    if (!lead && !isLaunching) return UNLOCKED
    return {
      filled_cells: isLaunching || lead?.is_waiting ? 'in_campaign' : null,
      email: isLaunching || lead?.has_address ? 'in_campaign' : null,
    }
  }
}

/** Which of these addresses are already in rows of the dataset. */
export async function addressesTaken(
  reader: Reader,
  datasetId: string,
  emails: string[],
): Promise<Set<string>> {
  if (emails.length === 0) return new Set()
  const { rows } = await reader.query<{ email: string }>(
    'SELECT DISTINCT email FROM dataset_rows WHERE dataset_id = $1 AND email = ANY ($2)',
    [datasetId, emails],
  )
  return new Set(rows.map(({ email }) => email))
}

/** Where else the addresses of these rows are found, in words: "row 3", "row 7 of Spring list", at most three places. */
export async function repetitions(
  reader: Reader,
  { workspace_id, dataset_id }: { workspace_id: string; dataset_id: string },
  rows: readonly BatchRow[],
): Promise<Map<number, string>> {
  const emails = [...new Set(rows.flatMap((row) => row.email ?? []))]
  if (emails.length === 0) return new Map()
  const { rows: places } = await reader.query<{
    email: string
    dataset_id: string
    dataset_name: string
    lead_index: number
  }>(
    `SELECT r.email, d.dataset_id, d.dataset_name, r.lead_index
     FROM datasets d CROSS JOIN LATERAL (
       SELECT email, lead_index FROM dataset_rows WHERE dataset_id = d.dataset_id AND email = ANY ($2)) r
     WHERE d.workspace_id = $1 ORDER BY d.dataset_id <> $3, d.created_at, r.lead_index`,
    [workspace_id, emails, dataset_id],
  )
  const byEmail = Map.groupBy(places, (place) => place.email)
  return new Map(
    rows.flatMap(({ email, lead_index }) => {
      const others = (byEmail.get(email ?? '') ?? []).filter(
        (place) => place.dataset_id !== dataset_id || place.lead_index !== lead_index,
      )
      const words = others
        .slice(0, 3)
        .map((place) =>
          place.dataset_id === dataset_id
            ? `row ${place.lead_index + 1}`
            : `row ${place.lead_index + 1} of ${place.dataset_name}`,
        )
      return words.length > 0 ? [[lead_index, words.join('; ')] as const] : []
    }),
  )
}
