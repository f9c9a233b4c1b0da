import { db } from '#lib/db/client'
import type { DatasetSessionModel } from '#lib/db/generated/models'
import { type Statements, sqlList, toStatements } from '#lib/db/statements'
import { SESSION_MOVES, SESSIONS_UNDER_WAY, type SessionVerb } from '#lib/domain/datasets/session-moves'
import { tellOfSession } from '#lib/services/datasets/told'

/*
 * The only writer of the status of dataset sessions. An ended session stays ended: each statement requires a session under way, and its end
 * is reported in the same transaction.
 */

const to = (verb: SessionVerb) => `'${SESSION_MOVES[verb]}'::"SessionStatus"`
const UNDER_WAY = `status IN (${sqlList(SESSIONS_UNDER_WAY)})`
const underWay = { status: { in: [...SESSIONS_UNDER_WAY] } }

/** Starts or restarts an import; false if it has ended, or is not an import of this dataset. */
export async function beginImport(datasetId: string, sessionId: string): Promise<boolean> {
  const { count } = await db.datasetSession.updateMany({
    where: { session_id: sessionId, dataset_id: datasetId, work: 'import', ...underWay },
    data: { status: SESSION_MOVES.begin, processed_count: 0, failed_count: 0 },
  })
  return count > 0
}

/** Completes an import: the rows of its file are committed with this. */
export async function completeImport(
  client: Statements,
  sessionId: string,
  { kept, refused }: { kept: number; refused: number },
  now: Date,
): Promise<void> {
  await client.query(
    `UPDATE dataset_sessions SET status = ${to('complete')}, leads_count = $2, processed_count = $2, failed_count = $3,
       completed_at = $4, session_updated_at = $4, error = NULL WHERE session_id = $1 AND ${UNDER_WAY}`,
    [sessionId, kept + refused, refused, now],
  )
  await tellOfSession(client, sessionId, now)
}

/** Records that a batch of rows is done. `summary` is JSON. */
export async function advanceSession(
  client: Statements,
  sessionId: string,
  batch: { next_index: number; processed: number; failed: number; summary: string },
  now: Date,
): Promise<void> {
  await client.query(
    `UPDATE dataset_sessions SET status = ${to('advance')}, next_index = $2, processed_count = processed_count + $3,
       failed_count = failed_count + $4, summary = $5, session_updated_at = $6 WHERE session_id = $1 AND ${UNDER_WAY}`,
    [sessionId, batch.next_index, batch.processed, batch.failed, batch.summary, now],
  )
}

/** Completes a session: every row was processed. */
export async function completeSession(client: Statements, sessionId: string, now: Date): Promise<void> {
  await client.query(
    `UPDATE dataset_sessions SET status = ${to('complete')}, processed_count = leads_count, completed_at = $2,
       session_updated_at = $2 WHERE session_id = $1 AND ${UNDER_WAY}`,
    [sessionId, now],
  )
  await tellOfSession(client, sessionId, now)
}

async function endFailed(sessionId: string, error: string, ended: { completed_at?: Date }, now: Date) {
  await db.$transaction(async (tx) => {
    const { count } = await tx.datasetSession.updateMany({
      where: { session_id: sessionId, ...underWay },
      data: { status: SESSION_MOVES.fail, error: error.slice(0, 1_000), ...ended },
    })
    if (count > 0) await tellOfSession(toStatements(tx), sessionId, now)
  })
}

/** Fails an import. Nothing of the file was kept, so it has no completion time. */
export const failImport = (sessionId: string, error: string, now = new Date()): Promise<void> =>
  endFailed(sessionId, error, {}, now)

export const failSession = (sessionId: string, error: string, now: Date): Promise<void> =>
  endFailed(sessionId, error, { completed_at: now }, now)

/** Cancels a session; null if it has ended or is an import. A round under way sees this before it writes its rows, and writes none. */
export async function cancelSession(
  workspaceId: string,
  sessionId: string,
  now: Date,
): Promise<DatasetSessionModel | null> {
  const [session] = await db.datasetSession.updateManyAndReturn({
    where: { session_id: sessionId, workspace_id: workspaceId, work: { not: 'import' }, ...underWay },
    data: { status: SESSION_MOVES.cancel, completed_at: now },
  })
  return session ?? null
}
