import type { ImapFlow } from 'imapflow'
import { connected, type ImapProviderOptions, said } from '#lib/providers/inbox/imap-connection'
import type { InboxConnection, InboxFailure } from '#lib/providers/inbox/port'

/** What is heard of an inbox. */
export type Listening = {
  /** It is listened to from here on; what was numbered below may have come in before. */
  begun: (uidNext: number) => void
  /** Something came in. */
  arrived: () => void
  /** Ends it. */
  signal: AbortSignal
}

/** `unsupported`: its server tells nothing by itself. */
export type Listened =
  | { ok: true; ended: 'stopped' | 'unsupported' }
  | { ok: false; reason: InboxFailure; error: string }

/** Stays with an inbox until it is stopped, or its server ends it. Answers a value for whatever a server does. */
export type InboxListener = (connection: InboxConnection, listening: Listening) => Promise<Listened>

/** Well before the 29 minutes of RFC 2177, and before routers forget a silent connection. */
const ANEW_MS = 9 * 60_000
/** A server that does not answer to that in time is gone. */
const PATIENCE_MS = 60_000

/** By IDLE (RFC 2177), over a connection of its own, which reads nothing: what came in is read as always. */
export function createImapListener({
  max_idle_ms = ANEW_MS,
  ...options
}: Omit<ImapProviderOptions, 'inLine' | 'signal'>): InboxListener {
  const { reply = PATIENCE_MS, ...timeouts } = options.timeouts ?? {}
  return async (connection, { signal, begun, arrived }) => {
    // What the connection may be silent for is the time of an IDLE, so that its opening needs a bound of its own.
    const opening = AbortSignal.timeout(reply)
    const line = new AbortController()
    const close = () => line.abort()
    for (const given of [signal, opening]) given.addEventListener('abort', close)
    const of = {
      ...options,
      signal: line.signal,
      max_idle_ms,
      timeouts: { ...timeouts, reply: max_idle_ms + reply, whole: null },
    }
    const broken = (error: unknown): Listened =>
      signal.aborted ? STOPPED : { ok: false, reason: 'lost', error: said(error, connection) }
    const stay = async (client: ImapFlow): Promise<Listened> => {
      client.on('exists', ({ count, prevCount }) => {
        if (count > prevCount) arrived()
      })
      const { uidNext } = await client.mailboxOpen('INBOX', { readOnly: true })
      if (!client.capabilities.has('IDLE')) return { ok: true, ended: 'unsupported' }
      opening.removeEventListener('abort', close)
      begun(uidNext)
      await client.idle()
      return broken(new Error('The server ended it.'))
    }
    try {
      const outcome = await connected<Listened>(connection, of, stay, broken)
      return signal.aborted ? STOPPED : outcome
    } finally {
      signal.removeEventListener('abort', close)
    }
  }
}

const STOPPED: Listened = { ok: true, ended: 'stopped' }
