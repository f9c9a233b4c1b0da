import type { Life } from '#lib/engine/liveness'
import { DUE_CHANNEL, type Engine, row } from '#lib/engine/state'

/** Shortest time between two looks for the next job, however many are due in sequence. */
const LOOK_MS = 500

const NEXT = `select ceil(extract(epoch from min(run_at) - clock_timestamp()) * 1000)::float8 as ms,
    exists (select 1 from graphile_worker._private_jobs where is_available and run_at <= now()) as is_due
  from graphile_worker._private_jobs where is_available and run_at > now()`
type Next = { ms: number | null; is_due: boolean }

export type Alarm = { begin: (nudge: () => void) => Promise<void>; stop: () => void }

/**
 * Wakes the worker when the next job is due. Postgres notifies the worker of jobs that are due when they are
 * added; jobs due later are announced on a channel that this alarm listens to. Every `everyMs` it also looks
 * by itself, for notifications lost with a connection and jobs left by a dead engine. Times are the
 * database's.
 */
export function createAlarm(engine: Engine, life: Life, everyMs: number): Alarm {
  const lookMs = Math.min(LOOK_MS, everyMs)
  let timer: NodeJS.Timeout | undefined
  let armedFor = Number.POSITIVE_INFINITY
  let lookedAt = Number.NEGATIVE_INFINITY
  let nudge = () => {}

  const arm = (ms: number) => {
    const at = performance.now() + ms
    if (engine.stopping || at >= armedFor) return
    clearTimeout(timer)
    armedFor = at
    timer = setTimeout(ring, ms)
  }
  const ring = async () => {
    armedFor = Number.POSITIVE_INFINITY
    const early = lookedAt + lookMs - performance.now()
    if (early > 0) {
      nudge()
      return arm(early)
    }
    lookedAt = performance.now()
    const next = await row<Next>(engine.pool, NEXT).catch((error: Error) => {
      if (!engine.stopping)
        engine.log.warn({ err: error }, 'the next job was not found and will be looked for again')
      return undefined
    })
    arm(Math.min(next?.ms ?? everyMs, everyMs))
    // Jobs that become due after this look are what the alarm is armed for. If the look failed, the worker
    // looks instead.
    if (!engine.stopping && next?.is_due !== false) nudge()
  }
  return {
    begin: async (wake) => {
      nudge = wake
      life.client.on('notification', ({ channel, payload }) => {
        if (channel === DUE_CHANNEL) arm(Math.max(0, Number(payload)))
      })
      await life.client.query(`listen ${DUE_CHANNEL}`)
      await ring()
    },
    stop: () => clearTimeout(timer),
  }
}
