import type { ImapFlow } from 'imapflow'
import { connected, type ImapProviderOptions, said } from '#lib/providers/inbox/imap-connection'
import type { InboxConnection, InboxFailure } from '#lib/providers/inbox/port'

/** Callbacks of a listener on one inbox. */
export type Listening = {
  /** Listening has begun; mail with a lower uid than `uidNext` may have arrived before. */
  begun: (uidNext: number) => void
  /** New mail arrived. */
  arrived: () => void
  /** Ends the listening. */
  signal: AbortSignal
}

/** `unsupported`: the server does not support IDLE. */
export type Listened =
  | { ok: true; ended: 'stopped' | 'unsupported' }
  | { ok: false; reason: InboxFailure; error: string }

/** Listens to an inbox until it is stopped or the server ends the connection. Returns a value for every failure of the server. */
export type InboxListener = (connection: InboxConnection, listening: Listening) => Promise<Listened>

/** IDLE is renewed well before the 29 minutes of RFC 2177, and before routers drop a silent connection. */
const ANEW_MS = 9 * 60_000
/** A server that does not answer the renewal in time counts as gone. */
const PATIENCE_MS = 60_000

/** Listens by IDLE (RFC 2177) over its own connection, which reads nothing: new mail is read by the normal reading. */
export function createImapListener({
  max_idle_ms = ANEW_MS,
  ...options
}: Omit<ImapProviderOptions, 'inLine' | 'signal'>): InboxListener {
  const { reply = PATIENCE_MS, ...timeouts } = options.timeouts ?? {}
  return async (connection, { signal, begun, arrived }) => {
    // The connection's silence limit is the length of an IDLE, so opening it needs a shorter limit of its own.
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
