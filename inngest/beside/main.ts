// A process beside the web process that runs background functions while there is much work: see inngest/beside/keeper.ts.
import { once } from 'node:events'
import { createServer } from 'node:http'
import os from 'node:os'
import { LOOK_MS } from '#inngest/beside/keeper'
import { createMeter } from '#inngest/beside/meter'
import type { Said } from '#inngest/beside/process'
import { answerEngine } from '#inngest/door'
import { endOnSignal } from '#inngest/end-on-signal'
import { log } from '#lib/http/log'
import { readCounts } from '#lib/metrics'
import { allowIdling } from '#lib/services/inbox/idling/process'
import { openKeys } from '#lib/services/instance/open-keys'
import { startTracing } from '#lib/tracing'

const CUT_OFF_MS = 8_000
const NICENESS = 5

await openKeys()
await startTracing()
// Pages come first, but mails must not starve on a machine that is busy with something else.
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

endOnSignal(server, async () => {
  // Calls of a web process that was killed have lost their connections but still run.
  await Promise.allSettled(underWay)
  await tellHow()
})
// The channel closes when the web process dies, even by kill -9; nobody calls here any more then.
process.once('disconnect', () => {
  process.kill(process.pid, 'SIGTERM')
  setTimeout(() => process.exit(1), CUT_OFF_MS).unref()
})
