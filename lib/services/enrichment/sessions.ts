import { z } from 'zod'
import {
  DatasetCellChange,
  type ListDatasetChanges,
  type ListDatasetSessions,
  ProcessDataset,
} from '#lib/contracts/enrichment/dataset-sessions'
import { db } from '#lib/db/client'
import type { DatasetCellChangeModel, DatasetSessionModel } from '#lib/db/generated/models'
import { storableJson } from '#lib/db/json'
import { rowsOfPage } from '#lib/db/page'
import { SESSIONS_UNDER_WAY } from '#lib/domain/datasets/session-moves'
import { asRecord } from '#lib/domain/text/record'
import { AppError, invalid } from '#lib/errors'
import { DatasetSessionRequested } from '#lib/events/catalog'
import { emit } from '#lib/events/client'
import { getDataset } from '#lib/services/datasets/datasets'
import { cancelSession } from '#lib/services/datasets/session-state'
import { whyWithoutRows } from '#lib/services/datasets/without-rows'
import { enrichmentProviders } from '#lib/services/enrichment/providers'
import { cancelRun, startRun } from '#lib/services/personalize/runs'

const Options = z.record(z.string(), z.json())
const Fields = z.record(z.string(), z.object({ filled: z.int(), skipped: z.record(z.string(), z.int()) }))
const { certainty: Certainty } = DatasetCellChange.shape

/** A session without progress for this long has lost its event or its worker. */
const STALE_MS = 120_000

export function sessionView(session: DatasetSessionModel) {
  const { summary, options, cost_micros, processed_count, leads_count, status } = session
  const share = leads_count > 0 ? processed_count / leads_count : 0
  return {
    ...session,
    options: Options.parse(options),
    progress_percentage: status === 'completed' ? 100 : Math.min(100, Math.round(share * 1_000) / 10),
    cost: Number(cost_micros) / 1_000_000,
    fields: Object.entries(Fields.parse(summary))
      .map(([field, { filled, skipped }]) => ({
        field,
        filled,
        skipped: Object.entries(skipped)
          .map(([reason, count]) => ({ reason, count }))
          .toSorted((a, b) => b.count - a.count || a.reason.localeCompare(b.reason)),
      }))
      .toSorted((a, b) => b.filled - a.filled || a.field.localeCompare(b.field)),
  }
}

type Wanted = {
  work: 'enrichment' | 'extraction' | 'email_finder' | 'verification'
  pipeline_type: 'enrichment' | 'extraction'
  options: object
}

/** Queues a session over all rows. A unique index allows one session under way per dataset. */
export async function startSession(
  workspaceId: string,
  datasetId: string,
  { work, pipeline_type, options }: Wanted,
) {
  const dataset = await getDataset(workspaceId, datasetId)
  if (dataset.row_count === 0)
    throw new AppError(await whyWithoutRows({ dataset_id: datasetId, workspace_id: workspaceId }))
  const data = {
    workspace_id: workspaceId,
    dataset_id: datasetId,
    work,
    pipeline_type,
    filename: dataset.filename,
  }
  const session = await db
    .$transaction(async (tx) => {
      // Waits for edits of rows by hand, which lock the dataset.
      await tx.$queryRaw`SELECT 1 FROM datasets WHERE dataset_id = ${datasetId}::uuid
        AND workspace_id = ${workspaceId}::uuid FOR SHARE`
      return tx.datasetSession.create({
        data: { ...data, options: storableJson(options), leads_count: dataset.row_count },
      })
    })
    .catch((error: unknown) => {
      const isTaken = asRecord(error).code === 'P2002'
      throw isTaken ? new AppError('dataset_busy', { cause: error }) : error
    })
  const { session_id } = session
  await emit(DatasetSessionRequested.create({ workspace_id: workspaceId, dataset_id: datasetId, session_id }))
  return sessionView(session)
}

export async function processDataset(
  workspaceId: string,
  datasetId: string,
  body: z.output<typeof ProcessDataset.body>,
  now: Date,
) {
  if (body.pipeline_type === 'personalization') {
    const { run_id } = await startRun(workspaceId, { ...body, dataset_id: datasetId }, now)
    return readDatasetSession(workspaceId, datasetId, run_id)
  }
  const { pipeline_type, options } = body
  if ('providers' in options) {
    const known = enrichmentProviders().map(({ name }) => name)
    const at = options.providers.findIndex((name) => !known.includes(name))
    if (at >= 0)
      throw invalid(
        ['body', 'options', 'providers', `${at}`],
        `there is no provider "${options.providers[at]}"`,
      )
  }
  return startSession(workspaceId, datasetId, { work: pipeline_type, pipeline_type, options })
}

/**
 * Starts the work that an upload was made for, once its rows are imported. Does nothing if they are not, if another session was started
 * meanwhile, or for personalization, which needs further input.
 */
export async function startAfterImport(datasetId: string, importSessionId: string, now: Date) {
  const sessions = await db.datasetSession.findMany({
    where: { dataset_id: datasetId },
    include: { dataset: true },
  })
  const [only] = sessions
  if (!only || sessions.length > 1 || only.session_id !== importSessionId || only.status !== 'completed')
    return null
  const { pipeline_type, workspace_id, dataset } = only
  if (pipeline_type !== 'enrichment' && pipeline_type !== 'extraction') return null
  if (dataset.row_count === 0) return null
  const body = ProcessDataset.body.parse({ pipeline_type })
  return (await processDataset(workspace_id, datasetId, body, now)).session_id
}

export async function listDatasetSessions(
  workspaceId: string,
  datasetId: string,
  { page, page_size }: z.output<typeof ListDatasetSessions.query>,
) {
  await getDataset(workspaceId, datasetId)
  const where = { dataset_id: datasetId, workspace_id: workspaceId }
  const [rows, total] = await Promise.all([
    db.datasetSession.findMany({
      where,
      orderBy: [{ session_created_at: 'desc' }, { session_id: 'desc' }],
      ...rowsOfPage({ page, page_size }),
    }),
    db.datasetSession.count({ where }),
  ])
  return { items: rows.map(sessionView), total, page, page_size }
}

export async function getSession(workspaceId: string, datasetId: string, sessionId: string) {
  const where = { session_id: sessionId, dataset_id: datasetId, workspace_id: workspaceId }
  const session = await db.datasetSession.findFirst({ where })
  if (!session) throw new AppError('session_not_found')
  return session
}

export const readDatasetSession = async (workspaceId: string, datasetId: string, sessionId: string) =>
  sessionView(await getSession(workspaceId, datasetId, sessionId))

export async function cancelDatasetSession(
  workspaceId: string,
  datasetId: string,
  sessionId: string,
  now: Date,
) {
  const asked = await getSession(workspaceId, datasetId, sessionId)
  if (asked.work === 'personalization') {
    await cancelRun(workspaceId, sessionId, now)
    return readDatasetSession(workspaceId, datasetId, sessionId)
  }
  const session = await cancelSession(workspaceId, sessionId, now)
  if (!session)
    throw new AppError('invalid_state', {
      message: 'Only a running session can be cancelled, and imports cannot.',
    })
  return sessionView(session)
}

export async function listDatasetChanges(
  workspaceId: string,
  datasetId: string,
  query: z.output<typeof ListDatasetChanges.query>,
) {
  await getDataset(workspaceId, datasetId)
  const { page, page_size, kept, ...by } = query
  const where = {
    dataset_id: datasetId,
    workspace_id: workspaceId,
    ...by,
    ...(kept && { kept_reason: kept === 'true' ? { not: null } : null }),
  }
  const [rows, total] = await Promise.all([
    db.datasetCellChange.findMany({
      where,
      orderBy: [{ lead_index: 'asc' }, { field: 'asc' }, { change_id: 'desc' }],
      ...rowsOfPage({ page, page_size }),
    }),
    db.datasetCellChange.count({ where }),
  ])
  return { items: rows.map(changeView), total, page, page_size }
}

const changeView = (row: DatasetCellChangeModel) => ({
  ...row,
  change_id: row.change_id.toString(),
  certainty: Certainty.parse(row.certainty),
})

/** The latest change in effect of every cell of some rows, by row and field. */
export async function loadProvenance(workspaceId: string, datasetId: string, leadIndexes: number[]) {
  const rows = await db.datasetCellChange.findMany({
    where: {
      dataset_id: datasetId,
      workspace_id: workspaceId,
      lead_index: { in: leadIndexes },
      undone_at: null,
    },
    orderBy: { change_id: 'asc' },
  })
  const byRow: Record<string, Record<string, DatasetCellChange>> = {}
  for (const row of rows) {
    const cells = byRow[row.lead_index] ?? {}
    byRow[row.lead_index] = cells
    cells[row.field] = DatasetCellChange.parse(changeView(row))
  }
  return byRow
}

/** Requests sessions again whose event was lost or whose worker died. Returns how many. */
export async function askForStaleSessions(now: Date): Promise<number> {
  const stale = await db.datasetSession.findMany({
    where: {
      work: { notIn: ['import', 'personalization'] },
      status: { in: [...SESSIONS_UNDER_WAY] },
      session_updated_at: { lt: new Date(now.getTime() - STALE_MS) },
    },
    take: 100,
  })
  for (const { workspace_id, dataset_id, session_id } of stale)
    await emit(DatasetSessionRequested.create({ workspace_id, dataset_id, session_id }))
  return stale.length
}
