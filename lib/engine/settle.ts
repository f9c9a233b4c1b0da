import { type Answer, didNotRun } from '#lib/engine/call'
import { type FunctionConfig, maxAttempts } from '#lib/engine/config'
import { applyDiscovery, applyStep, retryDelay, retryStep } from '#lib/engine/ops'
import { engineError, Op, retryAfterMs } from '#lib/engine/protocol'
import { endRun, failRun, lockOpenRun, type Run, requestDiscovery, saveRun } from '#lib/engine/runs'
import { release } from '#lib/engine/slots'
import { addJob, type Engine, row, type Tx } from '#lib/engine/state'

/** A call that was made: for the whole function (`step` undefined) or for one planned step. */
export type Dispatched = {
  run: Run
  fn: FunctionConfig
  holder: string
  step: { id: string; att: number } | undefined
  /** Fences the answer: a later pickup of the same work has a higher number. */
  disp: number
  /** No code of this run has been executed yet. */
  isFirst: boolean
}

/** Applies an answer. Returns true if the same job must make another discovery call. */
export async function settle(engine: Engine, tx: Tx, dispatch: Dispatched, answer: Answer): Promise<boolean> {
  const run = await lockOpenRun(tx, dispatch.run.id)
  if (!run || !(await isCurrent(tx, run, dispatch))) {
    await release(engine, tx, dispatch.run, dispatch.holder)
    return false
  }
  const version = answer.kind === 'answer' ? Number(answer.headers['x-inngest-req-version']) : Number.NaN
  if (Number.isInteger(version)) run.req_version = version
  if (didNotRun(answer) || answer.kind === 'abandoned') await postpone(engine, tx, run, dispatch, answer)
  else {
    engine.unreachableSince = undefined
    if (dispatch.step) await settleStep(engine, tx, run, dispatch.step, dispatch.fn, answer)
    else if (await settleDiscovery(engine, tx, run, dispatch.fn, answer)) return true
  }
  await release(engine, tx, run, dispatch.holder)
  return false
}

async function isCurrent(tx: Tx, run: Run, { step, disp }: Dispatched): Promise<boolean> {
  if (!step) return run.disc === 'running' && run.disp === disp
  const current = await row(
    tx,
    "select 1 from engine.steps where run_id = $1 and id = $2 and state = 'running' and disp = $3",
    [run.id, step.id, disp],
  )
  return current !== undefined
}

/** The call did not run, or this engine is stopping: the same attempt is made again later. */
async function postpone(engine: Engine, tx: Tx, run: Run, { step, isFirst }: Dispatched, answer: Answer) {
  const delayMs = answer.kind === 'abandoned' ? 0 : unreachable(engine, run, answer)
  const runAt = new Date(Date.now() + delayMs)
  if (step) {
    await tx.query("update engine.steps set state = 'planned' where run_id = $1 and id = $2", [
      run.id,
      step.id,
    ])
    await addJob(tx, 'exec', { run: run.id, step: step.id, att: step.att }, { runAt })
  } else {
    run.disc = 'none'
    if (isFirst && answer.kind !== 'abandoned') run.status = 'queued'
    await requestDiscovery(tx, run, runAt)
  }
  await saveRun(tx, run)
}

/** Retries after one second at first, and at most every ten seconds while the app stays unreachable. */
function unreachable(engine: Engine, run: Run, answer: Answer): number {
  const reason =
    answer.kind === 'answer'
      ? `status ${answer.status}, not from the SDK`
      : answer.kind === 'unreachable'
        ? answer.reason
        : ''
  if (engine.unreachableSince === undefined)
    engine.log.warn({ run_id: run.id, reason }, 'the app cannot be reached; no attempt is spent')
  engine.unreachableSince ??= Date.now()
  return Math.min(Math.max(Date.now() - engine.unreachableSince, 1_000), 10_000)
}

type Failure = { error: unknown; retry: boolean; afterMs: number | undefined }

/** Why a call as a whole failed, and whether it may be repeated. Null if the answer can be applied. */
function findFailure(engine: Engine, answer: Answer, attempt: number): Failure | null {
  if (answer.kind !== 'answer') {
    const reason = answer.kind === 'broken' ? answer.reason : answer.kind
    // An app that died during a call is not overloaded: its supervisor restarts it in seconds.
    const afterMs =
      answer.kind === 'broken'
        ? Math.min(1_000 * 4 ** attempt, retryDelay(engine, attempt, undefined))
        : undefined
    return { error: engineError(`the call broke off: ${reason}`), retry: true, afterMs }
  }
  if (answer.status === 200 || answer.status === 206) return null
  const noRetry = answer.headers['x-inngest-no-retry'] === 'true'
  const error =
    typeof answer.body === 'object' && answer.body
      ? answer.body
      : engineError(`status ${answer.status}: ${answer.text.slice(0, 500)}`)
  return { error, retry: !noRetry, afterMs: retryAfterMs(answer.headers['retry-after']) }
}

/** Stands for anything that is not an operation, so that it is refused as an unknown one. */
const NO_OP: Op = { id: '', op: 'none' }

const readOps = (answer: Answer): Op[] => {
  const body = answer.kind === 'answer' ? answer.body : []
  return (Array.isArray(body) ? body : [body]).map((op) => Op.safeParse(op).data ?? NO_OP)
}
const readRetryAfter = (answer: Answer) =>
  answer.kind === 'answer' ? retryAfterMs(answer.headers['retry-after']) : undefined

async function settleDiscovery(
  engine: Engine,
  tx: Tx,
  run: Run,
  fn: FunctionConfig,
  answer: Answer,
): Promise<boolean> {
  const failure = findFailure(engine, answer, run.attempt)
  if (failure && (!failure.retry || run.attempt + 1 >= maxAttempts(fn))) {
    await failRun(engine, tx, run, failure.error)
    return false
  }
  if (!failure && answer.kind === 'answer' && answer.status === 200) {
    await endRun(engine, tx, run, { status: 'completed', output: answer.body ?? null })
    return false
  }
  if (failure) run.attempt += 1
  const next = failure
    ? { do: 'retry' as const, delayMs: retryDelay(engine, run.attempt - 1, failure.afterMs) }
    : await applyDiscovery(engine, tx, run, fn, readOps(answer), readRetryAfter(answer))
  if (next.do === 'end') return false
  const goesOn = next.do === 'again' || (next.do === 'wait' && run.again)
  if (goesOn && !engine.stopping) {
    await saveRun(tx, run)
    return true
  }
  run.disc = 'none'
  if (next.do === 'retry') await requestDiscovery(tx, run, new Date(Date.now() + next.delayMs))
  else if (goesOn) await requestDiscovery(tx, run)
  await saveRun(tx, run)
  return false
}

async function settleStep(
  engine: Engine,
  tx: Tx,
  run: Run,
  step: { id: string; att: number },
  fn: FunctionConfig,
  answer: Answer,
) {
  const failure = findFailure(engine, answer, step.att)
  if (!failure) await applyStep(engine, tx, run, fn, step, readOps(answer), readRetryAfter(answer))
  else if (failure.retry && step.att + 1 < maxAttempts(fn))
    await retryStep(tx, run, step, retryDelay(engine, step.att, failure.afterMs))
  else await failRun(engine, tx, run, failure.error)
  if (run.status === 'running') await saveRun(tx, run)
}
