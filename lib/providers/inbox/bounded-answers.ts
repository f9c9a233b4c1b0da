import type { Logger } from 'imapflow'

/** Lines that answer one question: no mailbox has so many folders. Each takes up to a kilobyte of memory. */
export const MOST_LINES = 50_000

type Bounds = {
  most_bytes: number
  /** All bytes that the server has sent so far. */
  received: () => number
  exceeded: () => void
}

/**
 * Watches how much answers one question. The client bounds a line, and keeps as many as come: a server that sends small ones without end
 * would fill the memory before its time is over. What the client logs is the one place where each line passes, those that it cannot read
 * too.
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
