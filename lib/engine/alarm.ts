import type { Life } from '#lib/engine/liveness'
import { DUE_CHANNEL, type Engine, row } from '#lib/engine/state'

/** However many jobs are due one after the other: the next one is looked for at most this often. */
const LOOK_MS = 500

const NEXT = `select ceil(extract(epoch from min(run_at) - clock_timestamp()) * 1000)::float8 as ms,
    exists (select 1 from graphile_worker._private_jobs where is_available and run_at <= now()) as is_due
  from graphile_worker._private_jobs where is_available and run_at > now()`
type Next = { ms: number | null; is_due: boolean }

export type Alarm = { begin: (nudge: () => void) => Promise<void>; stop: () => void }

/**
 * Wakes the worker when the next job is due. Postgres tells the worker of jobs that are due when they are added; of later ones
 * this is told here. Every `everyMs` it looks by itself, for what a lost connection did not tell and what a dead engine left. Times
 * are the database's.
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
    // What comes due after the look is what it is armed for. Where it could not look, the worker does.
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
