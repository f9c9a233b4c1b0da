import { emit } from '#lib/engine/events'
import { type EventBody, engineError, FAILED, type Memo } from '#lib/engine/protocol'
import { addJob, type Engine, removeJob, row, rows, type Tx, timerKey } from '#lib/engine/state'

export type Run = {
  id: string
  fn_id: string
  status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'
  events: EventBody[]
  slot_keys: [key: string, max: number][]
  req_version: number
  plan: boolean
  disc: 'none' | 'queued' | 'running'
  gen: number
  disp: number
  again: boolean
  attempt: number
  created_at: Date
  ended_at: Date | null
}

const COLUMNS = `id, fn_id, status, events, slot_keys, req_version, plan, disc, gen, disp,
  again, attempt, created_at, ended_at`

/**
 * Every change of a run starts here: the row lock puts them in order. Null if the run has ended or is gone.
 */
export async function lockOpenRun(tx: Tx, runId: string): Promise<Run | null> {
  const run = await row<Run>(tx, `select ${COLUMNS} from engine.runs where id = $1 for update`, [runId])
  return run && !run.ended_at ? run : null
}

/** Writes back the fields that the state machine changes. The caller holds the row lock. */
export async function saveRun(tx: Tx, run: Run) {
  await tx.query(
    `update engine.runs set status = $2, req_version = $3, plan = $4, disc = $5, gen = $6, disp = $7, again = $8,
       attempt = $9, started_at = coalesce(started_at, case when $2 = 'running' then now() end) where id = $1`,
    [run.id, run.status, run.req_version, run.plan, run.disc, run.gen, run.disp, run.again, run.attempt],
  )
}

/**
 * Requests a discovery call. There is at most one per run: a queued one will see the new state anyway, and a
 * running one is followed by another (`again`).
 */
export async function requestDiscovery(tx: Tx, run: Run, runAt?: Date) {
  if (run.disc === 'running') run.again = true
  if (run.disc !== 'none') return
  run.disc = 'queued'
  run.gen += 1
  await addJob(tx, 'exec', { run: run.id, gen: run.gen }, { runAt })
}

/**
 * Stores the result of a step that was reported as planned or waiting. Returns false if the step is already
 * done or gone.
 */
export async function finishStep(tx: Tx, run: Run, stepId: string, memo: Memo): Promise<boolean> {
  const done = await row<{ op: string; grp: number; race: boolean }>(
    tx,
    `update engine.steps set state = 'done', result = $3,
       seq = (select coalesce(max(seq), 0) + 1 from engine.steps where run_id = $1)
     where run_id = $1 and id = $2 and state <> 'done' returning op, grp, race`,
    [run.id, stepId, JSON.stringify(memo)],
  )
  if (!done) return false
  if (done.op !== 'StepPlanned' || done.race || !(await groupIsOpen(tx, run.id, done.grp)))
    await requestDiscovery(tx, run)
  return true
}

/** Steps planned together are followed by a single discovery, when the last of them is done. */
async function groupIsOpen(tx: Tx, runId: string, grp: number): Promise<boolean> {
  const open = await rows(
    tx,
    "select 1 from engine.steps where run_id = $1 and grp = $2 and state in ('planned', 'running') and not race limit 1",
    [runId, grp],
  )
  return open.length > 0
}

type Ending = { status: 'completed'; output: unknown } | { status: 'failed' | 'cancelled'; error: unknown }

/** Ends a run: drops everything it still waits for, and emits an event if it failed. */
export async function endRun(engine: Engine, tx: Tx, run: Run, ending: Ending) {
  const output = ending.status === 'completed' ? ending.output : undefined
  const error = ending.status === 'completed' ? undefined : ending.error
  run.status = ending.status
  run.disc = 'none'
  await saveRun(tx, run)
  await tx.query('update engine.runs set ended_at = now(), output = $2, error = $3 where id = $1', [
    run.id,
    output === undefined ? null : JSON.stringify(output),
    error === undefined ? null : JSON.stringify(error),
  ])
  const open = await rows<{ id: string; state: string }>(
    tx,
    "delete from engine.steps where run_id = $1 and state <> 'done' returning id, state",
    [run.id],
  )
  for (const step of open) if (step.state === 'waiting') await removeJob(tx, timerKey(run.id, step.id))
  await tx.query('delete from engine.waiters where run_id = $1', [run.id])
  if (ending.status === 'failed') await announceFailure(engine, tx, run, ending.error)
  const level = ending.status === 'failed' ? 'warn' : 'debug'
  engine.log[level]({ run_id: run.id, fn_id: run.fn_id, error }, `run ${ending.status}`)
}

async function announceFailure(engine: Engine, tx: Tx, run: Run, error: unknown) {
  const [event] = run.events
  // Failures of failure handlers are not announced; they could trigger themselves forever.
  if (!event || event.name === FAILED) return
  const data = {
    function_id: run.fn_id,
    run_id: run.id,
    event,
    events: run.events,
    error,
    _inngest: { status: 'Failed' },
  }
  await emit(engine, tx, { id: run.id, name: FAILED, data, ts: Date.now() })
}

export const failRun = (engine: Engine, tx: Tx, run: Run, error: unknown) =>
  endRun(engine, tx, run, { status: 'failed', error })

export async function cancelRun(engine: Engine, tx: Tx, runId: string, reason: string): Promise<boolean> {
  const run = await lockOpenRun(tx, runId)
  if (run) await endRun(engine, tx, run, { status: 'cancelled', error: engineError(reason) })
  return run !== null
}
