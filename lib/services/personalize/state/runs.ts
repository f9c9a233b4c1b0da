import { db, pool } from '#lib/db/client'
import { sqlList, toStatements } from '#lib/db/statements'
import { inTransaction } from '#lib/db/transaction'
import { RUN_MOVES, type RunVerb } from '#lib/domain/personalize/run-moves'
import { abandonTexts, loseCalls, type Worker } from '#lib/services/personalize/state/texts'
import { tellOfRun } from '#lib/services/personalize/told'

/*
 * The only writer of where runs stand, beside texts.ts, which moves a run on with its texts. Guard and target come from the
 * table of domain, and an end is told of in its own transaction.
 */

const to = (verb: RunVerb) => `'${RUN_MOVES[verb].to}'::"PersonalizationStatus"`
const may = (verb: RunVerb) => `status IN (${sqlList(RUN_MOVES[verb].from)})`

/**
 * Takes a run that nobody works on. Calls that a dead worker had under way may have been paid: they are counted so, and
 * wait for their one repetition. False where somebody works on it, or where it is over.
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

/** Lets go of it, so that the next round need not wait. `idle`: the provider took nothing in this one. */
export async function leaveRun({ run_id, worker }: Worker, now: Date, idle = false): Promise<void> {
  await pool().query(
    `UPDATE personalization_runs SET ${RELEASED}, idle_rounds = idle_rounds + $4 WHERE ${OWN}`,
    [run_id, worker, now, idle ? 1 : 0],
  )
}

/** Its worker's end: what is over already, or somebody else's, stays as it is, and is let go of. */
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

/** Ends a run that is not over yet, and tells of it. Answers whether there was one. */
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

/** Its worker notices before the next lead; a call that is under way ends first. False where it was over. */
export async function cancelOpenRun(workspaceId: string, runId: string, now: Date): Promise<boolean> {
  const isCancelled = await endRun(
    'cancel',
    { run_id: runId, workspace_id: workspaceId },
    { completed_at: now },
  )
  if (isCancelled) await abandonTexts(runId, 'The run was cancelled.')
  return isCancelled
}

/** Ends a run whose function gave up. */
export async function failRun(runId: string, said: string, now: Date): Promise<void> {
  const error = said.slice(0, 1_000)
  await endRun('fail', { run_id: runId }, { error, completed_at: now, lease_until: null, worker: null })
  await abandonTexts(runId, error)
}

/** Whether its texts count as reviewed: approved as a whole, or not any more. */
export async function markRunReviewed(workspaceId: string, runId: string, at: Date | null): Promise<void> {
  await db.personalizationRun.updateMany({
    where: { run_id: runId, workspace_id: workspaceId },
    data: { reviewed_at: at },
  })
}
