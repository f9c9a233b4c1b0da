// A process beside the web process, for the background functions while they are much work: inngest/beside/keeper.ts says when.
import { once } from 'node:events'
import { createServer } from 'node:http'
import os from 'node:os'
import { LOOK_MS } from '#inngest/beside/keeper'
import { createMeter } from '#inngest/beside/meter'
import type { Said } from '#inngest/beside/process'
import { answerEngine } from '#inngest/door'
import { log } from '#lib/http/log'
import { stopGracefully } from '#lib/http/shutdown'
import { readCounts } from '#lib/metrics'
import { allowIdling, stopIdling } from '#lib/services/inbox/idling/process'
import { openKeys } from '#lib/services/instance/open-keys'
import { endTracing, startTracing } from '#lib/tracing'

const CUT_OFF_MS = 8_000
const NICENESS = 5

await openKeys()
await startTracing()
// Whoever waits for a page goes before, but not so far that mails wait for a machine that is busy with something else.
os.setPriority(NICENESS)

const tell = (said: Said) => void (process.connected && process.send?.(said, () => undefined))
const busy = createMeter()
const tellHow = async () => tell({ busy: busy(), counts: await readCounts() })

const underWay = new Set<Promise<void>>()
const server = createServer((request, response) => {
  const call = answerEngine(request, response).finally(() => underWay.delete(call))
  underWay.add(call)
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
if (typeof address !== 'object' || !address) throw new Error('A worker listens on no port.')
const { port } = address
log().info({ port }, 'worker beside the web process listens')
allowIdling()
tell({ port })
setInterval(tellHow, LOOK_MS).unref()

/** Of a web process that was killed the connections are gone, and what it asked for still goes on. */
async function end(): Promise<void> {
  const quiet = stopIdling()
  await new Promise((resolve) => server.close(resolve))
  await Promise.allSettled(underWay)
  await Promise.allSettled([endTracing(), quiet, tellHow()])
  process.exit(0)
}

stopGracefully()
// Calls under way are waited for, within the bound of lib/http/shutdown.ts.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void end())
// The channel closes when the web process dies, even by kill -9: without it nobody calls here any more.
process.once('disconnect', () => {
  process.kill(process.pid, 'SIGTERM')
  setTimeout(() => process.exit(1), CUT_OFF_MS).unref()
})
