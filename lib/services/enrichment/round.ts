import type { PoolClient } from 'pg'
import { db, pool } from '#lib/db/client'
import type { DatasetSessionModel } from '#lib/db/generated/models'
import { jsonText } from '#lib/db/json-text'
import { inTransaction } from '#lib/db/transaction'
import { isUnderWay } from '#lib/domain/datasets/session-moves'
import { decideCells, type Findings } from '#lib/domain/enrichment/proposal'
import { advanceSession, completeSession } from '#lib/services/datasets/session-state'
import { addressesTaken, type BatchRow, loadRows } from '#lib/services/enrichment/batch'
import { holding } from '#lib/services/enrichment/dataset-lock'
import type { Gathered, Tools } from '#lib/services/enrichment/pipeline'
import { createPipeline } from '#lib/services/enrichment/pipelines'
import { addToSummary, type Summary } from '#lib/services/enrichment/summary'
import { type RowChanges, writeChanges } from '#lib/services/enrichment/write'
import { followClocks, lockClockKeepers } from '#lib/services/leads/rows/readdress'

/**
 * Works on the rows of a session, batch by batch, until `until` or the end. A batch writes its cells and the session's progress in one
 * transaction, so a crash loses at most one batch and repeats none. Returns whether nothing is left to do.
 */
export async function runRound(sessionId: string, until: Date, tools: Tools): Promise<{ done: boolean }> {
  const session = await db.datasetSession.findUnique({ where: { session_id: sessionId } })
  if (!session || session.work === 'import' || !isUnderWay(session.status)) return { done: true }
  const outcome = await holding(session.dataset_id, async () => {
    for (;;) {
      const goesOn = await runBatch(sessionId, tools)
      if (!goesOn) return { done: true }
      if (tools.clock() >= until) return { done: false }
    }
  })
  // The holder of the lock continues the session.
  return outcome === 'busy' ? { done: true } : outcome
}

/** False once the session has ended for any reason. */
async function runBatch(sessionId: string, tools: Tools): Promise<boolean> {
  const session = await db.datasetSession.findUnique({ where: { session_id: sessionId } })
  if (!session || !isUnderWay(session.status)) return false
  const pipeline = createPipeline(session, tools)
  const ahead = await loadRows(pool(), session.dataset_id, session.next_index, pipeline.batch)
  const gathered = pipeline.gather ? await pipeline.gather(ahead) : new Map<number, Gathered>()
  return inTransaction(pool(), async (client) => {
    const now = tools.clock()
    const { rows: current } = await client.query<{ status: string; next_index: number; summary: Summary }>(
      'SELECT status, next_index, summary FROM dataset_sessions WHERE session_id = $1 FOR UPDATE',
      [sessionId],
    )
    const [state] = current
    if (!state || !isUnderWay(state.status) || state.next_index !== session.next_index) return false
    if (ahead.length === 0) {
      await completeSession(client, sessionId, now)
      return false
    }
    // Read again: external queries take time, and a campaign may have been launched meanwhile.
    const rows = await loadRows(client, session.dataset_id, session.next_index, ahead.length)
    const findings = await pipeline.find(client, rows, gathered)
    const outcomes = await decide(client, session, rows, { findings, overwrite: pipeline.overwrite })
    await writeFollowed(client, session, outcomes, now)
    await pipeline.record?.(client, outcomes)
    await advanceSession(
      client,
      sessionId,
      {
        next_index: (rows.at(-1)?.lead_index ?? session.next_index) + 1,
        processed: rows.length,
        failed: rows.filter(({ lead_index }) => gathered.get(lead_index)?.has_failed).length,
        summary: jsonText(addToSummary(state.summary, outcomes)),
      },
      now,
    )
    return true
  })
}

/** Writes the cells. Leads that are contacted in their own time zone then follow the new values, as after an edit by hand. */
async function writeFollowed(
  client: PoolClient,
  session: DatasetSessionModel,
  rows: readonly RowChanges[],
  now: Date,
) {
  const { workspace_id, dataset_id } = session
  const fields = rows.flatMap(({ changes }) => changes.map(({ field }) => field))
  const keeping = await lockClockKeepers(client, workspace_id, dataset_id, fields)
  await writeChanges(client, session, rows, now)
  const moved = rows.flatMap(({ lead_index, changes }) => (changes.length > 0 ? [lead_index] : []))
  await followClocks(client, keeping, moved, now)
}

/** An address is unique in a dataset: if a proposed one is already in another row, the next proposal is taken. */
async function decide(
  client: PoolClient,
  { dataset_id }: DatasetSessionModel,
  rows: readonly BatchRow[],
  { findings, overwrite }: { findings: ReadonlyMap<number, Findings>; overwrite: boolean },
) {
  const proposed = [...findings.values()].flatMap(({ proposals }) =>
    proposals.flatMap((one) => (one.field === 'email' ? [one.value] : [])),
  )
  const taken = await addressesTaken(client, dataset_id, proposed)
  return rows.map(({ lead_index, email, data, lock }) => {
    const { proposals, skips } = findings.get(lead_index) ?? { proposals: [], skips: [] }
    const isFree = (address: string) => address === email || !taken.has(address)
    const free = proposals.filter((one) => one.field !== 'email' || isFree(one.value))
    const isPassedOver = free.length < proposals.length && !free.some((one) => one.field === 'email')
    const usable = {
      proposals: free,
      skips: isPassedOver ? [{ field: 'email', reason: 'address_taken' }, ...skips] : skips,
    }
    const row = email === null || data.email ? data : { ...data, email }
    const decided = decideCells(row, usable, { overwrite, lock })
    for (const change of decided.changes) if (change.field === 'email') taken.add(change.new_value)
    return { lead_index, ...decided }
  })
}
