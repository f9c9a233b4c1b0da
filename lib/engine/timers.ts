import type { Pool } from 'pg'
import { z } from 'zod'
import type { FunctionConfig } from '#lib/engine/config'
import { nextCron, parseCron } from '#lib/engine/cron'
import { type EventBody, SCHEDULED, ulid } from '#lib/engine/protocol'
import { finishStep, lockOpenRun, saveRun } from '#lib/engine/runs'
import { startRun } from '#lib/engine/start-run'
import { addJob, type Engine, row, type Tx, withTx } from '#lib/engine/state'

/**
 * Largest expected difference between the clocks of two machines. A time further ahead was written by a
 * machine whose clock has been set back since.
 */
const APART_MS = 5 * 60_000

/** How soon another engine may pick up a job that this one cannot run. */
const OTHERS_MS = 2_000

export const TimerPayload = z.object({ run: z.string(), step: z.string() })

/** Job `timer`: a sleep is over. */
export async function fireTimer(engine: Engine, { run: runId, step: stepId }: z.output<typeof TimerPayload>) {
  await withTx(engine.pool, async (tx) => {
    const run = await lockOpenRun(tx, runId)
    if (!run) return
    if (await finishStep(tx, run, stepId, { type: 'data', data: null })) await saveRun(tx, run)
  })
}

export const CronTick = z.object({ fn: z.string(), cron: z.string(), at: z.number() })
type CronTick = z.output<typeof CronTick>

const cronKey = (fnId: string, cron: string) => `cron:${fnId}:${cron}`

/**
 * Queues the next tick of a cron. With `once`, an already queued tick stays as it is, so a restart neither
 * loses nor moves it.
 */
async function queueTick(tx: Tx, fnId: string, cron: string, after: Date, once: boolean) {
  const at = nextCron(parseCron(cron), after)
  if (at)
    await addJob(
      tx,
      'cron',
      { fn: fnId, cron, at: at.getTime() },
      { key: cronKey(fnId, cron), runAt: at, once },
    )
}

/** Makes sure that every cron of the synced functions has its next tick queued. */
export async function scheduleCrons(engine: Engine, tx: Tx) {
  for (const fn of engine.functions.values()) {
    for (const { cron } of fn.triggers)
      if (cron !== undefined) await queueTick(tx, fn.id, cron, new Date(), true)
  }
}

/**
 * Job `cron`: one tick. After downtime the overdue tick fires once, not once per missed minute. If the
 * previous run has not started yet, no further run is created: a sweep that cannot start must not pile up.
 */
export async function tick(engine: Engine, { fn: fnId, cron, at }: CronTick) {
  const fn = engine.functions.get(fnId)
  if (!fn || !hasCron(fn, cron)) return leaveToOthers(engine, { fn: fnId, cron, at })
  const now = Date.now()
  const due = at - now > APART_MS ? now : at
  await withTx(engine.pool, async (tx) => {
    await queueTick(tx, fnId, cron, new Date(Math.max(due, now)), false)
    const unstarted = await row(
      tx,
      "select 1 from engine.runs where fn_id = $1 and cron = $2 and ended_at is null and status = 'queued'",
      [fnId, cron],
    )
    if (unstarted) return
    const event: EventBody = { id: ulid(), name: SCHEDULED, data: { cron }, ts: due }
    await startRun(tx, fn, { event, idem: `${cronKey(fnId, cron)}:${due}`, cron })
  })
}

const hasCron = (fn: FunctionConfig | undefined, cron: string) =>
  fn?.triggers.some((trigger) => trigger.cron === cron) === true

/** During an upgrade an engine of the other version may serve this cron; if none does, the tick ends. */
async function leaveToOthers(engine: Engine, tick: CronTick) {
  await withTx(engine.pool, async (tx) => {
    const kept = await row<{ cfg: FunctionConfig }>(
      tx,
      'select cfg from engine.functions where id = $1 and removed_at is null',
      [tick.fn],
    )
    if (!hasCron(kept?.cfg, tick.cron)) return
    await addJob(tx, 'cron', tick, {
      key: cronKey(tick.fn, tick.cron),
      runAt: new Date(Date.now() + OTHERS_MS),
    })
  })
}

/**
 * Job `purge`: deletes runs that ended a week ago, so that the state does not grow with the age of the
 * installation.
 */
export async function purge(engine: Engine) {
  const WEEK = "interval '7 days'"
  await withTx(engine.pool, async (tx) => {
    await tx.query(`delete from engine.runs where ended_at < now() - ${WEEK}`)
    await tx.query(`delete from engine.events where received_at < now() - ${WEEK}`)
    await tx.query(`delete from engine.functions where removed_at < now() - ${WEEK}`)
    await addJob(tx, 'purge', {}, { key: 'purge', runAt: new Date(Date.now() + 24 * 3_600_000) })
  })
}

/**
 * Reschedules jobs that were queued while the clock was ahead: they become due as long from now as they were
 * from then. Otherwise a job could wait for a day because the clock was a day ahead for a moment.
 */
export async function pullBackJobs(on: Pool | Tx) {
  await on.query(
    `update graphile_worker._private_jobs set run_at = run_at - (updated_at - now()), updated_at = now()
     where is_available and updated_at > now() + $1 * interval '1 millisecond'`,
    [APART_MS],
  )
}
