import pino from 'pino'

/** The most bytes of pending lines that are kept; further lines are dropped. */
const KEPT_BYTES = 1_000_000

/**
 * The destination of log lines: stdout. A full disk does not end the process: lines wait for room. The end of the process does
 * not wait for it, as it would for ever with pino's own destination.
 */
export function logOutput() {
  const output = pino.destination({ dest: 1, maxLength: KEPT_BYTES })
  output.on('error', () => {
    output.flushSync = () => undefined
  })
  return output
}
