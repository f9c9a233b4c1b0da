import { log } from '#lib/http/log'
import { beginStopping, STOP_GRACE_MS } from '#lib/services/instance/stopping'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/**
 * On SIGTERM the web framework stops accepting connections, waits for open requests without a limit, and exits as if it had been
 * killed. This adds what is missing: background work under way (which arrived as a request too) claims nothing more, the wait is
 * bounded, and a requested stop exits with 0. A send that takes longer than the bound is left to its lease and becomes uncertain:
 * it is never offered a second time.
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
