import { fork } from 'node:child_process'
import path from 'node:path'
import { z } from 'zod'
import { LOOK_MS, type SideProcess } from '#inngest/beside/keeper'
import { type Counts, takeCounts, takeLastCounts } from '#lib/metrics'
import { environmentAsGiven } from '#lib/services/instance/open-keys'

/** Messages of the process: its port, then every few seconds its load and counters. */
const Said = z.union([
  z.object({ port: z.int() }),
  z.object({ busy: z.number(), counts: z.array(z.custom<Counts[number]>()) }),
])
export type Said = z.output<typeof Said>

const MAIN = path.join(import.meta.dirname, 'main.ts')

/** A small young generation: nobody waits for its answers, and V8 would otherwise let garbage grow to 100 MB. */
const SMALL_YOUNG = '--max-semi-space-size=4'

/** Counted in looks of this process rather than time, so that a suspended parent does not consider the child silent. */
const SILENT_LOOKS = 12

/**
 * Starts `inngest/beside/main.ts`, whose counters are added to those of this process. A process that is silent for a minute hangs and
 * is killed; otherwise the engine would wait for its answers for hours while pages look fine.
 */
export function startSideProcess(over: () => void, silentLooks = SILENT_LOOKS): SideProcess {
  let port: number | null = null
  let busy = 0
  let silent = 0
  const child = fork(MAIN, {
    env: environmentAsGiven(),
    // Started with the web process's own flags: V8 options and preloaded modules.
    execArgv: [...process.execArgv, SMALL_YOUNG],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const looking = setInterval(() => {
    silent += 1
    if (silent > silentLooks) child.kill('SIGKILL')
  }, LOOK_MS).unref()
  child.on('message', (message) => {
    silent = 0
    const said = Said.parse(message)
    if ('port' in said) port = said.port
    else {
      busy = said.busy
      takeCounts(child, said.counts)
    }
  })
  const end = () => {
    clearInterval(looking)
    port = null
    busy = 0
    takeLastCounts(child)
    over()
  }
  child.once('error', end)
  child.once('exit', end)
  return { port: () => port, busy: () => busy, end: () => void child.kill('SIGTERM') }
}
