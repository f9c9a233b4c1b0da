import { fork } from 'node:child_process'
import path from 'node:path'
import { z } from 'zod'
import type { Beside } from '#inngest/beside/keeper'
import { WORKER_FLAGS } from '#inngest/heap-flags'
import { type Counts, takeCounts, takeLastCounts } from '#lib/metrics'

/** What the process says: where it listens, then each few seconds how it is. */
const Said = z.union([
  z.object({ port: z.int() }),
  z.object({ busy: z.number(), counts: z.array(z.custom<Counts[number]>()) }),
])
export type Said = z.output<typeof Said>

const MAIN = path.join(import.meta.dirname, 'main.ts')

/** What is loaded before anything else into a process of an instance is loaded here too. */
const preloads = () =>
  process.execArgv.filter((arg, place, all) => arg === '--import' || all[place - 1] === '--import')

/** Starts `inngest/beside/main.ts`, whose counts show among those of this process. */
export function startBeside(over: () => void): Beside {
  let port: number | null = null
  let busy = 0
  const child = fork(MAIN, {
    execArgv: [...WORKER_FLAGS, ...preloads()],
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
