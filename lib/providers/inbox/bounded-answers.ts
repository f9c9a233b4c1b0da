import type { Logger } from 'imapflow'

/** Lines in the answer to one command; no mailbox has this many folders. Each takes up to a kilobyte of memory. */
export const MOST_LINES = 50_000

type Bounds = {
  most_bytes: number
  /** All bytes that the server has sent so far. */
  received: () => number
  exceeded: () => void
}

/**
 * Limits the answer to one command. imapflow limits the length of a line but not their number, so a server that sends small lines
 * without end would fill the memory before the time limit. Its log is the only place that sees every line, even unparsable ones.
 */
export function boundedAnswers({ most_bytes, received, exceeded }: Bounds): Logger {
  let lines = 0
  let before = 0
  const hear = ({ src }: { src?: unknown }) => {
    if (src === 'c') {
      lines = 0
      before = received()
    }
    if (src !== 's') return
    lines += 1
    if (lines > MOST_LINES || received() - before > most_bytes) exceeded()
  }
  const ignore = () => undefined
  return { trace: hear, debug: hear, error: hear, info: ignore, warn: ignore }
}
