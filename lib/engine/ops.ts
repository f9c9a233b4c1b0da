import { type FunctionConfig, maxAttempts, parseMoment } from '#lib/engine/config'
import { engineError, type Memo, type Op } from '#lib/engine/protocol'
import { endRun, failRun, finishStep, type Run } from '#lib/engine/runs'
import { addJob, type Engine, row, type Tx, timerKey } from '#lib/engine/state'

/**
 * What follows a discovery call: another call at once, one later, nothing until a result arrives, or the end.
 */
type Next = { do: 'again' } | { do: 'retry'; delayMs: number } | { do: 'wait' } | { do: 'end' }

/**
 * 15 s to 2 h by default, with some random spread, so that runs that failed together are not retried
 * together.
 */
export function retryDelay(engine: Engine, attempt: number, askedMs: number | undefined): number {
  if (askedMs !== undefined) return askedMs
  const delays = engine.retryDelaysMs
  const delay = delays[Math.min(attempt, delays.length - 1)] ?? 0
  return delay + Math.random() * Math.min(delay, 30_000)
}

/** Stores the result of a step that ran inside a discovery call. */
export async function storeStep(tx: Tx, run: Run, op: Op, memo: Memo) {
  await tx.query(
    `insert into engine.steps as old (run_id, id, op, name, state, result, seq)
     select $1, $2, $3, $4, 'done', $5, coalesce(max(seq), 0) + 1 from engine.steps where run_id = $1
     on conflict (run_id, id) do update set state = 'done', result = excluded.result, seq = excluded.seq where old.state <> 'done'`,
    [run.id, op.id, op.op, op.displayName ?? op.name ?? null, JSON.stringify(memo)],
  )
  run.attempt = 0
}

export const toDataMemo = (op: Op): Memo => ({ type: 'data', data: op.data ?? null })
const toErrorMemo = (op: Op): Memo => ({
  type: 'error',
  error: op.error ?? op.data ?? engineError('the step failed'),
})

/** Returns false if the step is already known: the SDK reports open steps again at every discovery. */
async function openStep(tx: Tx, run: Run, op: Op, state: 'planned' | 'waiting'): Promise<boolean> {
  const inserted = await row(
    tx,
    `insert into engine.steps (run_id, id, op, name, state, grp, race)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning id`,
    [
      run.id,
      op.id,
      op.op,
      op.displayName ?? op.name ?? null,
      state,
      run.disp,
      op.opts?.parallelMode === 'race',
    ],
  )
  return inserted !== undefined
}

async function sleep(tx: Tx, run: Run, op: Op): Promise<boolean> {
  const until = parseMoment(op.name ?? String(op.opts?.duration ?? ''), new Date())
  const isNew = await openStep(tx, run, op, 'waiting')
  if (isNew)
    await addJob(tx, 'timer', { run: run.id, step: op.id }, { runAt: until, key: timerKey(run.id, op.id) })
  return isNew
}

async function plan(tx: Tx, run: Run, op: Op): Promise<boolean> {
  const isNew = await openStep(tx, run, op, 'planned')
  if (isNew) await addJob(tx, 'exec', { run: run.id, step: op.id, att: 0 })
  return isNew
}

/** Applies an operation that opens a step. Undefined if this engine does not know the operation. */
function open(tx: Tx, run: Run, op: Op): Promise<boolean> | undefined {
  if (op.op === 'StepPlanned') return plan(tx, run, op)
  if (op.op === 'Sleep') return sleep(tx, run, op)
  return undefined
}

/** Applies the answer of a discovery call. The caller holds the run's lock and saves the run afterwards. */
export async function applyDiscovery(
  engine: Engine,
  tx: Tx,
  run: Run,
  fn: FunctionConfig,
  ops: Op[],
  retryAfter: number | undefined,
): Promise<Next> {
  let next: Next = { do: 'wait' }
  let opened = 0
  for (const op of ops) {
    if (op.op === 'RunComplete') {
      await endRun(engine, tx, run, { status: 'completed', output: op.data ?? null })
      return { do: 'end' }
    }
    if (op.op === 'StepError' && run.attempt + 1 < maxAttempts(fn)) {
      next = { do: 'retry', delayMs: retryDelay(engine, run.attempt, retryAfter) }
      run.attempt += 1
    } else if (op.op === 'StepRun' || op.op === 'StepFailed' || op.op === 'StepError') {
      await storeStep(tx, run, op, op.op === 'StepRun' ? toDataMemo(op) : toErrorMemo(op))
      next = { do: 'again' }
    } else if (op.op === 'DiscoveryRequest') next = { do: 'again' }
    else {
      const isNew = await attempt(open(tx, run, op), op)
      if (isNew instanceof Error) {
        await failRun(engine, tx, run, engineError(isNew.message))
        return { do: 'end' }
      }
      if (isNew) opened += 1
    }
  }
  const left = await openSteps(tx, run)
  run.plan = left > 0 && (run.plan || opened > 1)
  if (left === 0 && next.do === 'wait') {
    await failRun(
      engine,
      tx,
      run,
      engineError('the app answered with no operation and nothing is left to wait for'),
    )
    return { do: 'end' }
  }
  return next
}

const openSteps = async (tx: Tx, run: Run) =>
  (
    await row<{ open: number }>(
      tx,
      "select count(*)::int as open from engine.steps where run_id = $1 and state <> 'done'",
      [run.id],
    )
  )?.open ?? 0

/** An invalid request by the function fails the run, not the engine. */
async function attempt(opening: Promise<boolean> | undefined, op: Op): Promise<boolean | Error> {
  if (!opening)
    return new Error(
      `the embedded engine does not support the operation "${op.op}" (step "${op.displayName ?? op.id}")`,
    )
  try {
    return await opening
  } catch (error) {
    // A failed statement aborted the transaction, which the engine must retry.
    if (error instanceof Error && !('severity' in error)) return error
    throw error
  }
}

/** Applies the answer of a call for one planned step. */
export async function applyStep(
  engine: Engine,
  tx: Tx,
  run: Run,
  fn: FunctionConfig,
  step: { id: string; att: number },
  ops: Op[],
  retryAfter: number | undefined,
) {
  const op = ops.find(({ id }) => id === step.id)
  if (op?.op === 'StepError' && step.att + 1 < maxAttempts(fn)) {
    await retryStep(tx, run, step, retryDelay(engine, step.att, retryAfter))
  } else if (op?.op === 'StepRun') await finishStep(tx, run, step.id, toDataMemo(op))
  else if (op?.op === 'StepFailed' || op?.op === 'StepError')
    await finishStep(tx, run, step.id, toErrorMemo(op))
  else {
    const got = ops.map((other) => other.op).join(', ') || 'nothing'
    await failRun(engine, tx, run, engineError(`asked to run step ${step.id}, the app answered with ${got}`))
  }
}

/**
 * The attempt number also works as a fence: a job of an older attempt finds another number and is dropped.
 */
export async function retryStep(tx: Tx, run: Run, step: { id: string; att: number }, delayMs: number) {
  const att = step.att + 1
  await tx.query("update engine.steps set state = 'planned', att = $3 where run_id = $1 and id = $2", [
    run.id,
    step.id,
    att,
  ])
  await addJob(tx, 'exec', { run: run.id, step: step.id, att }, { runAt: new Date(Date.now() + delayMs) })
}
