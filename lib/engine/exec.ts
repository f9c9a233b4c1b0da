import { z } from 'zod'
import { type Answer, callApp } from '#lib/engine/call'
import { type FunctionConfig, maxAttempts } from '#lib/engine/config'
import { canonical, engineError, type Memo } from '#lib/engine/protocol'
import { failRun, finishStep, lockOpenRun, type Run, saveRun } from '#lib/engine/runs'
import { type Dispatched, settle } from '#lib/engine/settle'
import { acquire, freeHolder } from '#lib/engine/slots'
import { addJob, type Engine, row, rows, type Tx, withTx } from '#lib/engine/state'

/** Identifies either the discovery call of generation `gen` or attempt `att` of a planned step. */
export const ExecPayload = z.object({
  run: z.string(),
  gen: z.number().optional(),
  step: z.string().optional(),
  att: z.number().optional(),
})
export type ExecPayload = z.output<typeof ExecPayload>

/** A call to make, with what the SDK needs to replay the function: results by step id, and their order. */
type Dispatch = Dispatched & { memos: Record<string, Memo>; stack: string[] }

const DIED = engineError('the engine or the app died during the call')
const UNKNOWN_RETRY_MS = 1_000

/** Job `exec`: calls the app, applies the answer in one transaction, and calls again while there is more to do. */
export async function execute(engine: Engine, payload: ExecPayload) {
  const holder = payload.step === undefined ? payload.run : `${payload.run}/${payload.step}`
  engine.active.add(holder)
  try {
    let looping = false
    do {
      const dispatch = await withTx(engine.pool, (tx) => pickUp(engine, tx, payload, holder, looping))
      if (!dispatch) {
        if (looping) await freeHolder(engine, holder)
        return
      }
      const answer = await call(engine, dispatch)
      looping = await withTx(engine.pool, (tx) => settle(engine, tx, dispatch, answer))
    } while (looping)
  } finally {
    engine.active.delete(holder)
  }
}

async function pickUp(
  engine: Engine,
  tx: Tx,
  payload: ExecPayload,
  holder: string,
  looping: boolean,
): Promise<Dispatch | null> {
  const run = await lockOpenRun(tx, payload.run)
  if (!run) return null
  const fn = engine.functions.get(run.fn_id)
  const step = payload.step === undefined ? undefined : await findStep(tx, run, payload.step)
  const isStale =
    payload.step === undefined ? run.disc === 'none' || run.gen !== payload.gen : step?.att !== payload.att
  if (isStale) return null
  if (!fn) return withoutFunction(engine, tx, run, payload, step)
  const busy = step ? step.state === 'running' : run.disc === 'running'
  // Still marked as running although this job was just picked up: the process that ran it died during the
  // call, which counts as an attempt.
  if (busy && !looping && !(await countDeath(engine, tx, run, fn, step))) return null
  if (!looping && !(await acquire(engine, tx, run, holder, { ...payload, att: step?.att }))) {
    await markQueued(tx, run, step)
    return null
  }
  run.status = 'running'
  const disp = await markRunning(tx, run, step)
  await saveRun(tx, run)
  const done = await rows<{ id: string; result: Memo }>(
    tx,
    "select id, result from engine.steps where run_id = $1 and state = 'done' order by seq",
    [run.id],
  )
  const memos = Object.fromEntries(done.map(({ id, result }) => [id, result]))
  const isFirst = done.length === 0 && !step && run.attempt === 0
  return { run, fn, holder, step, disp, isFirst, memos, stack: done.map(({ id }) => id) }
}

type StepRow = { id: string; att: number; state: string }

const findStep = (tx: Tx, run: Run, stepId: string) =>
  row<StepRow>(
    tx,
    "select id, att, state from engine.steps where run_id = $1 and id = $2 and state in ('planned', 'running')",
    [run.id, stepId],
  )

async function markRunning(tx: Tx, run: Run, step: StepRow | undefined): Promise<number> {
  if (!step) {
    run.disc = 'running'
    run.again = false
    run.disp += 1
    return run.disp
  }
  const marked = await row<{ disp: number }>(
    tx,
    "update engine.steps set state = 'running', disp = disp + 1, att = $3 where run_id = $1 and id = $2 returning disp",
    [run.id, step.id, step.att],
  )
  return marked?.disp ?? 0
}

async function markQueued(tx: Tx, run: Run, step: StepRow | undefined) {
  if (step)
    await tx.query("update engine.steps set state = 'planned', att = $3 where run_id = $1 and id = $2", [
      run.id,
      step.id,
      step.att,
    ])
  else run.disc = 'queued'
  await saveRun(tx, run)
}

/** Counts an attempt that ended in a crash. Returns false if it was the last one. */
async function countDeath(
  engine: Engine,
  tx: Tx,
  run: Run,
  fn: FunctionConfig,
  step: StepRow | undefined,
): Promise<boolean> {
  engine.log.warn({ run_id: run.id, step_id: step?.id }, 'a call was cut off by a crash and is made again')
  if (step) step.att += 1
  else run.attempt += 1
  if ((step?.att ?? run.attempt) < maxAttempts(fn)) return true
  if (step) {
    await finishStep(tx, run, step.id, { type: 'error', error: DIED })
    await saveRun(tx, run)
  } else await failRun(engine, tx, run, DIED)
  return false
}

/**
 * A run whose function is not served (any more) waits long enough for a deploy, then fails with that reason.
 */
async function withoutFunction(
  engine: Engine,
  tx: Tx,
  run: Run,
  payload: ExecPayload,
  step: StepRow | undefined,
): Promise<null> {
  const gone = await row(
    tx,
    "select 1 from engine.functions where id = $1 and removed_at < now() - interval '10 minutes'",
    [run.fn_id],
  )
  if (gone) await failRun(engine, tx, run, engineError(`function ${run.fn_id} is not served any more`))
  else {
    await markQueued(tx, run, step)
    await addJob(tx, 'exec', payload, { runAt: new Date(Date.now() + UNKNOWN_RETRY_MS) })
  }
  return null
}

function call(engine: Engine, { run, fn, step, disp, memos, stack }: Dispatch): Promise<Answer> {
  const url = new URL(engine.serveUrl)
  url.searchParams.set('fnId', fn.id)
  url.searchParams.set('stepId', step?.id ?? 'step')
  const body = canonical({
    event: run.events[0],
    events: run.events,
    steps: memos,
    version: run.req_version,
    use_api: false,
    defers: {},
    ctx: {
      run_id: run.id,
      fn_id: fn.id,
      qi_id: String(disp),
      attempt: step?.att ?? run.attempt,
      max_attempts: maxAttempts(fn),
      disable_immediate_execution: run.plan,
      use_api: false,
      stack: { stack, current: stack.length },
      env: '',
      step_id: 'step',
    },
  })
  const headers = {
    'x-run-id': run.id,
    'x-request-id': `${run.id}.${step?.id ?? 'step'}.${disp}`,
    'x-inngest-req-version': String(run.req_version),
    'x-inngest-generation-id': String(run.gen),
    'x-inngest-job-id': `${run.id}.${disp}`,
  }
  return callApp({ method: 'POST', url, body, headers, signingKey: engine.signingKey, signal: engine.abort })
}
