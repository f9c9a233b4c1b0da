import pino from 'pino'

/** What is kept of lines that find no room; the rest is dropped. */
const KEPT_BYTES = 1_000_000

/**
 * Where log lines go: stdout. A full disk ends no process: lines wait for room, and neither does its end wait for it, as pino's own
 * would for ever.
 */
export function logOutput() {
  const output = pino.destination({ dest: 1, maxLength: KEPT_BYTES })
  output.on('error', () => {
    output.flushSync = () => undefined
  })
  return output
}
