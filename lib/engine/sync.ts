import { callApp } from '#lib/engine/call'
import { type FunctionConfig, parseFunctions } from '#lib/engine/config'
import { serveFunctions } from '#lib/engine/liveness'
import { canonical } from '#lib/engine/protocol'
import { type Engine, withTx } from '#lib/engine/state'
import { scheduleCrons } from '#lib/engine/timers'

type SyncState = { ok: boolean; error: string | undefined; hash: string }

/**
 * Asks the app for its functions (in-band sync). Throws with the reason if the app cannot or may not be
 * served.
 */
async function fetchFunctions(engine: Engine): Promise<FunctionConfig[]> {
  const answer = await callApp({
    method: 'PUT',
    url: new URL(engine.serveUrl),
    body: canonical({ url: engine.serveUrl }),
    headers: { 'x-inngest-sync-kind': 'in_band' },
    signingKey: engine.signingKey,
    signal: engine.abort,
  })
  if (answer.kind !== 'answer')
    throw new Error(`the app cannot be reached: ${answer.kind === 'abandoned' ? 'stopping' : answer.reason}`)
  const { body } = answer
  if (answer.status !== 200 || !body || typeof body !== 'object' || !('functions' in body))
    throw new Error(`the app answered the sync with status ${answer.status}: ${answer.text.slice(0, 300)}`)
  return parseFunctions(body.functions)
}

async function adopt(engine: Engine, functions: FunctionConfig[]) {
  engine.functions = new Map(functions.map((fn) => [fn.id, fn]))
  await withTx(engine.pool, async (tx) => {
    // Two engines may sync at once; a fixed order avoids deadlocks.
    for (const fn of [...functions].sort((a, b) => (a.id < b.id ? -1 : 1))) {
      await tx.query(
        `insert into engine.functions (id, cfg) values ($1, $2)
         on conflict (id) do update set cfg = excluded.cfg, removed_at = null`,
        [fn.id, JSON.stringify(fn)],
      )
    }
    await serveFunctions(engine, tx)
    await scheduleCrons(engine, tx)
  })
}

export type Syncer = {
  state: SyncState
  begin: () => void
  now: () => Promise<boolean>
  end: () => Promise<void>
}

/**
 * Syncs at boot and then every `intervalMs`, so that a new build of the app is noticed. An unchanged config
 * is not written again; a refused one leaves the last good one in force. `ready` is called after each
 * successful sync: jobs of functions that are not known yet must not run.
 */
export function createSyncer(engine: Engine, intervalMs: number, ready: () => Promise<void>): Syncer {
  const state: SyncState = { ok: false, error: 'not synced yet', hash: '' }
  let timer: NodeJS.Timeout | undefined
  let working: Promise<boolean> = Promise.resolve(false)

  async function sync(): Promise<boolean> {
    try {
      const functions = await fetchFunctions(engine)
      const hash = canonical(functions)
      const modified = hash !== state.hash
      if (modified) {
        await adopt(engine, functions)
        engine.log.info({ functions: functions.map(({ id }) => id) }, 'functions synced')
      }
      await ready()
      Object.assign(state, { ok: true, error: undefined, hash })
      return modified
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      // Logged once per reason, not every round.
      if (!engine.stopping && state.error !== reason) engine.log.error({ reason }, 'sync failed')
      Object.assign(state, { ok: false, error: reason })
      return false
    }
  }

  const round = async () => {
    working = sync()
    await working
    // An app that is still booting should be found quickly; after that there is no hurry.
    const pause = state.ok ? intervalMs : Math.min(intervalMs, 1_000)
    if (!engine.stopping) timer = setTimeout(round, pause)
  }

  return {
    state,
    begin: () => void round(),
    now: () => {
      working = working.then(sync)
      return working
    },
    end: async () => {
      clearTimeout(timer)
      await working
    },
  }
}
