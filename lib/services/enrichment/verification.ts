import { z } from 'zod'
import type { ListVerifiedRows, VerificationOptions } from '#lib/contracts/enrichment/verification'
import { pool } from '#lib/db/client'
import { firstRow } from '#lib/db/page'
import { DAY_MS } from '#lib/domain/calendar/zoned-time'
import { judgeList, type VerificationCounts } from '#lib/domain/finder/list-risk'
import { EMAIL_STATUSES, VERIFICATION_CODES } from '#lib/domain/finder/verdict'
import { invalid } from '#lib/errors'
import { getDataset } from '#lib/services/datasets/datasets'
import { providerView, verifiers } from '#lib/services/enrichment/providers'
import { startSession } from '#lib/services/enrichment/sessions'
import { rowsOnList } from '#lib/services/leads/on-list'

const Status = z.enum(EMAIL_STATUSES)
const Code = z.enum(VERIFICATION_CODES)

export async function verifyDataset(
  workspaceId: string,
  datasetId: string,
  options: z.output<typeof VerificationOptions>,
) {
  const known = verifiers().map(({ name }) => name)
  const at = options.providers.findIndex((name) => !known.includes(name))
  if (at >= 0)
    throw invalid(
      ['body', 'providers', `${at}`],
      `there is no verification service "${options.providers[at]}"`,
    )
  return startSession(workspaceId, datasetId, {
    work: 'verification',
    pipeline_type: 'enrichment',
    options,
  })
}

/** Rows `r` of dataset $2 with the verification result of their address. */
const VERIFIED_ROWS = `FROM dataset_rows r LEFT JOIN email_verifications v USING (workspace_id, email)
  WHERE r.workspace_id = $1 AND r.dataset_id = $2`

export async function readDatasetVerification(workspaceId: string, datasetId: string) {
  const dataset = await getDataset(workspaceId, datasetId)
  const [{ rows: groups }, overlaps] = await Promise.all([
    pool().query<{ status: string | null; code: string | null; count: number }>(
      `SELECT v.status, v.code, count(*)::int AS count ${VERIFIED_ROWS} AND r.email IS NOT NULL
       GROUP BY 1, 2 ORDER BY 3 DESC, 2`,
      [workspaceId, datasetId],
    ),
    readOverlaps(workspaceId, datasetId),
  ])
  const counts: VerificationCounts = { valid: 0, invalid: 0, risky: 0, unknown: 0, unverified: 0 }
  for (const { status, count } of groups)
    counts[status === null ? 'unverified' : Status.parse(status)] += count
  const { risk, reason: risk_reason } = judgeList(counts)
  const codes = groups.flatMap(({ status, code, count }) =>
    status === null ? [] : [{ status: Status.parse(status), code: Code.parse(code), count }],
  )
  const addresses = groups.reduce((sum, { count }) => sum + count, 0)
  const rows = dataset.row_count
  return {
    rows,
    without_address: Math.max(0, rows - addresses),
    ...counts,
    codes,
    ...overlaps,
    risk,
    risk_reason,
    providers: verifiers().map(providerView),
  }
}

type Overlaps = { suppressed: number; repeated: number; in_other_datasets: number; in_campaigns: number }

/** Also counts rows that suppression entries name by profile or telephone number, with or without an address. */
async function readOverlaps(workspace_id: string, dataset_id: string): Promise<Overlaps> {
  const named = await rowsOnList(pool(), { workspace_id, dataset_id })
  const { rows } = await pool().query<Overlaps>(OVERLAPS, [workspace_id, dataset_id, [...named.keys()]])
  return rows[0] ?? { suppressed: 0, repeated: 0, in_other_datasets: 0, in_campaigns: 0 }
}

const OVERLAPS = `
  WITH own AS (
    SELECT r.email, count(*)::int AS rows FROM dataset_rows r
    WHERE r.workspace_id = $1 AND r.dataset_id = $2 AND r.email IS NOT NULL GROUP BY 1)
  SELECT
    (SELECT count(*) FROM dataset_rows r WHERE r.workspace_id = $1 AND r.dataset_id = $2
      AND (r.lead_index = ANY ($3::int[]) OR EXISTS (SELECT 1 FROM effective_suppressions s WHERE s.workspace_id = $1
        AND s.value IN (r.email, '@' || split_part(r.email, '@', 2)))))::int AS suppressed,
    coalesce(sum(o.rows - 1), 0)::int AS repeated,
    count(*) FILTER (WHERE EXISTS (SELECT 1 FROM datasets d JOIN dataset_rows e USING (dataset_id)
      WHERE d.workspace_id = $1 AND d.dataset_id <> $2 AND e.email = o.email))::int AS in_other_datasets,
    count(*) FILTER (WHERE EXISTS (SELECT 1 FROM campaign_leads l
      WHERE l.workspace_id = $1 AND l.email = o.email AND l.status <> 'skipped'))::int AS in_campaigns
  FROM own o`

type VerifiedRow = {
  lead_index: number
  email: string
  status: string
  code: string
  reason: string
  verified_by: string
  verified_at: Date
}

export async function listVerifiedRows(
  workspaceId: string,
  datasetId: string,
  { page, page_size, status }: z.output<typeof ListVerifiedRows.query>,
) {
  await getDataset(workspaceId, datasetId)
  const statuses = status ? [status] : EMAIL_STATUSES
  const [{ rows }, { rows: counted }] = await Promise.all([
    pool().query<VerifiedRow>(
      `SELECT r.lead_index, v.email, v.status, v.code, v.reason, v.verified_by, v.verified_at ${VERIFIED_ROWS}
         AND v.status = ANY ($3) ORDER BY r.lead_index LIMIT $4 OFFSET $5`,
      [workspaceId, datasetId, statuses, page_size, firstRow({ page, page_size })],
    ),
    pool().query<{ total: number }>(
      `SELECT count(*)::int AS total ${VERIFIED_ROWS} AND v.status = ANY ($3)`,
      [workspaceId, datasetId, statuses],
    ),
  ])
  const items = rows.map((row) => ({ ...row, status: Status.parse(row.status), code: Code.parse(row.code) }))
  return { items, total: counted[0]?.total ?? 0, page, page_size }
}

/** Deletes old results; such an address counts as unverified again. */
export const removeOldVerifications = (now: Date) =>
  pool().query('DELETE FROM email_verifications WHERE verified_at < $1', [new Date(now.getTime() - KEPT_MS)])

const KEPT_MS = 180 * DAY_MS
