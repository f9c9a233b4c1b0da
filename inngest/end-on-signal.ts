import type { Server } from 'node:http'
import { stopGracefully } from '#lib/http/shutdown'
import { stopIdling } from '#lib/services/inbox/idling/process'
import { endTracing } from '#lib/tracing'

/**
 * On SIGTERM or SIGINT takes no new calls, waits for those under way (and for `finish`), and ends the process. The wait is bounded
 * by lib/http/shutdown.ts.
 */
export function endOnSignal(server: Server, finish: () => Promise<unknown> = async () => undefined): void {
  async function end(): Promise<void> {
    const idlingEnded = stopIdling()
    await new Promise((resolve) => server.close(resolve))
    await Promise.allSettled([finish()])
    await Promise.allSettled([endTracing(), idlingEnded])
    process.exit(0)
  }
  stopGracefully()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void end())
}
