import { db, pool } from '#lib/db/client'
import { sqlList, toStatements } from '#lib/db/statements'
import { inTransaction } from '#lib/db/transaction'
import { RUN_MOVES, type RunVerb } from '#lib/domain/personalize/run-moves'
import { abandonTexts, loseCalls, type Worker } from '#lib/services/personalize/state/texts'
import { tellOfRun } from '#lib/services/personalize/told'

/*
 * The only writer of the status of runs, except texts.ts, which advances a run together with its texts. Guards and targets come from the
 * domain's table of moves, and an end is reported in the same transaction.
 */

const to = (verb: RunVerb) => `'${RUN_MOVES[verb].to}'::"PersonalizationStatus"`
const may = (verb: RunVerb) => `status IN (${sqlList(RUN_MOVES[verb].from)})`

/**
 * Claims a run that no worker has. Calls that a dead worker had under way may have been charged: they are counted as paid, and each may be
 * repeated once. False if a worker has the run or it has ended.
 */
export async function takeRun({ run_id, worker, lease_ms }: Worker, now: Date): Promise<boolean> {
  return inTransaction(pool(), async (client) => {
    const { rowCount } = await client.query(
      `UPDATE personalization_runs SET status = ${to('take')}, worker = $2, lease_until = $3, updated_at = $4,
         started_at = coalesce(started_at, $4)
       WHERE run_id = $1 AND ${may('take')} AND (lease_until IS NULL OR lease_until < $4)`,
      [run_id, worker, new Date(now.getTime() + lease_ms), now],
    )
    if (rowCount !== 1) return false
    await loseCalls(client, run_id)
    return true
  })
}

const RELEASED = 'lease_until = NULL, worker = NULL, updated_at = $3'
const OWN = 'run_id = $1 AND worker = $2'

/** Releases a run, so that the next round need not wait for the lease. `idle`: the provider accepted nothing in this round. */
export async function leaveRun({ run_id, worker }: Worker, now: Date, idle = false): Promise<void> {
  await pool().query(
    `UPDATE personalization_runs SET ${RELEASED}, idle_rounds = idle_rounds + $4 WHERE ${OWN}`,
    [run_id, worker, now, idle ? 1 : 0],
  )
}

/** Ends a run for its worker and releases it. A run that has ended or belongs to another worker stays as it is. */
async function finishRun(
  worker: Worker,
  verb: 'complete' | 'give_up',
  error: string | null,
  now: Date,
): Promise<void> {
  await inTransaction(pool(), async (client) => {
    const { rowCount } = await client.query(
      `UPDATE personalization_runs SET ${RELEASED}, status = ${to(verb)}, error = coalesce($4, error), completed_at = $3
       WHERE ${OWN} AND ${may(verb)}`,
      [worker.run_id, worker.worker, now, error],
    )
    if (rowCount) await tellOfRun(client, worker.run_id, now)
  })
  await leaveRun(worker, now)
}

export const completeRun = (worker: Worker, now: Date): Promise<void> =>
  finishRun(worker, 'complete', null, now)

export async function giveUpRun(worker: Worker, error: string, now: Date): Promise<void> {
  await finishRun(worker, 'give_up', error, now)
  await abandonTexts(worker.run_id, error)
}

/** Ends a run that has not ended yet, and reports it. Returns whether there was one. */
const endRun = (
  verb: 'fail' | 'cancel',
  which: { run_id: string; workspace_id?: string },
  data: { completed_at: Date; error?: string; lease_until?: null; worker?: null },
): Promise<boolean> =>
  db.$transaction(async (tx) => {
    const { count } = await tx.personalizationRun.updateMany({
      where: { ...which, status: { in: [...RUN_MOVES[verb].from] } },
      data: { ...data, status: RUN_MOVES[verb].to },
    })
    if (count > 0) await tellOfRun(toStatements(tx), which.run_id, data.completed_at)
    return count > 0
  })

/** Cancels a run. Its worker notices before the next lead; a call under way ends first. False if it had ended. */
export async function cancelOpenRun(workspaceId: string, runId: string, now: Date): Promise<boolean> {
  const isCancelled = await endRun(
    'cancel',
    { run_id: runId, workspace_id: workspaceId },
    { completed_at: now },
  )
  if (isCancelled) await abandonTexts(runId, 'The run was cancelled.')
  return isCancelled
}

/** Ends a run whose background function gave up. */
export async function failRun(runId: string, said: string, now: Date): Promise<void> {
  const error = said.slice(0, 1_000)
  await endRun('fail', { run_id: runId }, { error, completed_at: now, lease_until: null, worker: null })
  await abandonTexts(runId, error)
}

/** Sets or clears whether the run's texts count as reviewed. */
export async function markRunReviewed(workspaceId: string, runId: string, at: Date | null): Promise<void> {
  await db.personalizationRun.updateMany({
    where: { run_id: runId, workspace_id: workspaceId },
    data: { reviewed_at: at },
  })
}
