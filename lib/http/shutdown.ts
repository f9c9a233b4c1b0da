import { log } from '#lib/http/log'
import { beginStopping, STOP_GRACE_MS } from '#lib/services/instance/stopping'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/**
 * On SIGTERM the web framework takes no new connection and waits for the requests it has, without end, and then ends as
 * if it had been killed. This adds what it does not know: background work under way, which came as a request too, claims
 * nothing more; the waiting has a bound; and a stop that was asked for is no failure. A send that outlasts the bound is
 * left to its lease, and so becomes uncertain: it is never offered a second time.
 */
export function stopGracefully(): void {
  let isAsked = false
  const begin = (signal: NodeJS.Signals) => {
    if (isAsked) return
    isAsked = true
    beginStopping()
    log().info({ signal }, 'web stopping')
    setTimeout(() => {
      log().warn({ seconds: STOP_GRACE_MS / 1000 }, 'requests under way were cut off')
      process.exit(0)
    }, STOP_GRACE_MS).unref()
  }
  for (const signal of SIGNALS) process.on(signal, begin)
  process.on('exit', (code) => {
    if (isAsked && [130, 143].includes(code)) process.exitCode = 0
  })
}
