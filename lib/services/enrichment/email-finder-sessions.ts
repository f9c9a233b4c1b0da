import { z } from 'zod'
import type { FindEmails, ListFoundEmails } from '#lib/contracts/enrichment/email-finder'
import { db } from '#lib/db/client'
import { rowsOfPage } from '#lib/db/page'
import { EMAIL_STATUSES } from '#lib/domain/finder/verdict'
import { AppError } from '#lib/errors'
import { storedCells } from '#lib/services/datasets/stored'
import { startSession } from '#lib/services/enrichment/sessions'

const Status = z.enum(EMAIL_STATUSES)

export const findEmails = (
  workspaceId: string,
  { dataset_id, ...options }: z.output<typeof FindEmails.body>,
) => startSession(workspaceId, dataset_id, { work: 'email_finder', pipeline_type: 'enrichment', options })

export async function listFoundEmails(
  workspaceId: string,
  datasetId: string,
  sessionId: string,
  { page, page_size, status }: z.output<typeof ListFoundEmails.query>,
) {
  const session = await db.datasetSession.findFirst({
    where: { session_id: sessionId, dataset_id: datasetId, workspace_id: workspaceId, work: 'email_finder' },
  })
  if (!session) throw new AppError('session_not_found')
  const where = { session_id: sessionId, workspace_id: workspaceId, ...(status && { status }) }
  const [rows, total] = await Promise.all([
    db.emailFinderResult.findMany({
      where,
      orderBy: { lead_index: 'asc' },
      ...rowsOfPage({ page, page_size }),
    }),
    db.emailFinderResult.count({ where }),
  ])
  return { items: rows.map((row) => ({ ...row, status: Status.parse(row.status) })), total, page, page_size }
}

/** The person in each of these rows, by row number: "Ada Lovelace, Analytical Engines". Rows without a name are left out. */
export async function peopleOfRows(
  workspaceId: string,
  datasetId: string,
  rows: number[],
): Promise<Map<number, string>> {
  const candidates = await db.datasetRow.findMany({
    where: { dataset_id: datasetId, workspace_id: workspaceId, lead_index: { in: rows } },
    select: { lead_index: true, data: true },
  })
  return new Map(
    candidates.flatMap(({ lead_index, data }) => {
      const { first_name, last_name, full_name, company } = storedCells({ data })
      const name = [first_name, last_name].filter(Boolean).join(' ') || full_name
      return name ? [[lead_index, [name, company].filter(Boolean).join(', ')] as const] : []
    }),
  )
}
