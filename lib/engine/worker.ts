import { EventEmitter } from 'node:events'
import { Logger, type Runner, run, runMigrations, type WorkerEvents } from 'graphile-worker'
import { createAlarm } from '#lib/engine/alarm'
import { ExecPayload, execute } from '#lib/engine/exec'
import { type Life, register, withSchemaLock } from '#lib/engine/liveness'
import { RoutePayload, route } from '#lib/engine/route'
import { addJob, type Engine, tellDue } from '#lib/engine/state'
import { CronTick, fireTimer, purge, TimerPayload, tick } from '#lib/engine/timers'

const HOUR_MS = 3_600_000
/** How many times the alarm looks for each look of the worker itself. */
const POLLS = 12

const taskList = (engine: Engine) => ({
  route: (payload: unknown) => route(engine, RoutePayload.parse(payload)),
  exec: (payload: unknown) => execute(engine, ExecPayload.parse(payload)),
  timer: (payload: unknown) => fireTimer(engine, TimerPayload.parse(payload)),
  cron: (payload: unknown) => tick(engine, CronTick.parse(payload)),
  purge: () => purge(engine),
})

/** Logs only problems: the worker's own output is one line per job. */
const quietLogger = (engine: Engine) =>
  new Logger(() => (level, message, meta) => {
    if (level === 'error' || level === 'warning')
      engine.log[level === 'error' ? 'error' : 'warn'](
        { err: meta?.error },
        message.split('\n')[0] ?? message,
      )
  })

/** Two engines may start at once on an empty database; only one of them migrates. */
export const migrateWorker = (engine: Engine, life: Life) =>
  withSchemaLock(life, () => runMigrations({ pgPool: engine.pool, logger: quietLogger(engine) }))

type Worker = { start: () => Promise<void>; stop: () => Promise<void> }

/** graphile-worker for the engine's jobs. `lost` is called if it ends without being asked to. */
export function createWorker(
  engine: Engine,
  life: Life,
  options: { concurrency: number; pollInterval: number },
  lost: (reason: string) => void,
): Worker {
  const alarm = createAlarm(engine, life, options.pollInterval)
  let starting: Promise<Runner | undefined> | undefined
  const begin = async () => {
    const events: WorkerEvents = new EventEmitter()
    // Only these fields: resolving with the pool itself would wait for its end, because the pool is a
    // promise.
    const made = new Promise<{ id: string; nudge: () => void }>((resolve) =>
      events.once('pool:create', ({ workerPool }) =>
        resolve({ id: workerPool.id, nudge: () => workerPool.nudge(1) }),
      ),
    )
    events.on('pool:listen:success', ({ workerPool, client }) =>
      // Runs after the worker's LISTEN; jobs added before that were announced to no listener.
      setImmediate(() =>
        client.query('select 1').then(
          () => workerPool.nudge(1),
          (error: Error) => engine.log.warn({ err: error }, 'the worker does not listen yet'),
        ),
      ),
    )
    const runner = await run({
      concurrency: options.concurrency,
      // The alarm looks more often and more cheaply, and wakes the worker.
      pollInterval: options.pollInterval * POLLS,
      pgPool: engine.pool,
      events,
      logger: quietLogger(engine),
      noHandleSignals: true,
      taskList: taskList(engine),
      // One query per poll for the whole process, not one per worker.
      preset: { worker: { localQueue: { size: options.concurrency } } },
    })
    runner.promise.then(
      () => engine.stopping || lost('the worker ended'),
      (error: Error) => lost(`the worker failed: ${error.message}`),
    )
    const { id, nudge } = await made
    await register(engine, life, id)
    await alarm.begin(nudge)
    await addJob(
      engine.pool,
      'purge',
      {},
      { key: 'purge', runAt: new Date(Date.now() + HOUR_MS), once: true },
    )
    return runner
  }
  return {
    start: async () => {
      starting ??= begin().catch((error: Error) => {
        lost(`the worker did not start: ${error.message}`)
        return undefined
      })
      await starting
    },
    stop: async () => {
      alarm.stop()
      const runner = await starting
      await runner?.stop()
      // Jobs it had fetched but not started are free for other engines now.
      if (runner) await tellDue(engine.pool, new Date())
    },
  }
}
