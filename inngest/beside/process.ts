import { fork } from 'node:child_process'
import path from 'node:path'
import { z } from 'zod'
import { type Beside, LOOK_MS } from '#inngest/beside/keeper'
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

/** In looks of this process, so that one that was stopped itself does not take the other for silent. */
const SILENT_LOOKS = 12

/**
 * Starts `inngest/beside/main.ts`, whose counts show among those of this process. One that hangs, and so says nothing for a minute, is
 * ended: the engine would wait for its answers for hours, while pages look as if all were well.
 */
export function startSideProcess(over: () => void, silentLooks = SILENT_LOOKS): Beside {
  let port: number | null = null
  let busy = 0
  let silent = 0
  const child = fork(MAIN, {
    env: environmentAsGiven(),
    // What else the web process was started with, it is too: flags of V8, and what an instance loads before anything else.
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
