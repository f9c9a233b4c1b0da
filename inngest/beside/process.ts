import { fork } from 'node:child_process'
import path from 'node:path'
import { z } from 'zod'
import type { Beside } from '#inngest/beside/keeper'
import { type Counts, takeCounts, takeLastCounts } from '#lib/metrics'
import { environmentAsGiven } from '#lib/services/instance/open-keys'

/** What the process says: where it listens, then each few seconds how it is. */
const Said = z.union([
  z.object({ port: z.int() }),
  z.object({ busy: z.number(), counts: z.array(z.custom<Counts[number]>()) }),
])
export type Said = z.output<typeof Said>

const MAIN = path.join(import.meta.dirname, 'main.ts')

/** It answers nobody who waits: what lives briefly would take 100 MB before V8 looks through it. */
const SMALL_YOUNG = '--max-semi-space-size=4'

/** Starts `inngest/beside/main.ts`, whose counts show among those of this process. */
export function startBeside(over: () => void): Beside {
  let port: number | null = null
  let busy = 0
  const child = fork(MAIN, {
    env: environmentAsGiven(),
    // What else the web process was started with, it is too: flags of V8, and what an instance loads before anything else.
    execArgv: [...process.execArgv, SMALL_YOUNG],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  child.on('message', (message) => {
    const said = Said.parse(message)
    if ('port' in said) port = said.port
    else {
      busy = said.busy
      takeCounts(child, said.counts)
    }
  })
  const end = () => {
    port = null
    busy = 0
    takeLastCounts(child)
    over()
  }
  child.once('error', end)
  child.once('exit', end)
  return { port: () => port, busy: () => busy, end: () => void child.kill('SIGTERM') }
}
