import { isIP } from 'node:net'
import { rootCertificates } from 'node:tls'
import type { ImapFlow, ImapFlowOptions } from 'imapflow'
import { boundedAnswers } from '#lib/providers/inbox/bounded-answers'
import type { InboxConnection, InboxFailure } from '#lib/providers/inbox/port'
import { type Lookup, type OutboundPolicy, resolveHost } from '#lib/providers/outbound'
import { isTlsFailure, tlsInWords } from '#lib/providers/tls-failure'

export type ImapProviderOptions = {
  policy: OutboundPolicy
  lookup?: Lookup
  /** Runs what connects to a host when its turn comes; absent: at once. */
  inLine?: <T>(host: string, work: () => Promise<T>) => Promise<T>
  /** Further certificate authorities, in PEM. */
  ca?: string
  timeouts?: Partial<ImapTimeouts>
  /** Of a larger mail only its beginning is fetched; attachments are not kept anyway. */
  max_source_bytes?: number
  /** Closes the connection, whatever it is at. */
  signal?: AbortSignal
  /** IDLE is begun anew so often. */
  max_idle_ms?: number
}

/**
 * In milliseconds. `reply` bounds the silence of a server in the middle of a command, `whole` everything that is done over one
 * connection (null: nothing does): a server that says a word now and then and comes to no end would hold up whoever waits. What was read by
 * then is kept.
 */
export type ImapTimeouts = { connect: number; greeting: number; reply: number; whole: number | null }

const TIMEOUTS: ImapTimeouts = { connect: 15_000, greeting: 15_000, reply: 60_000, whole: 300_000 }
/** The numbers of two million mails stand in one line. */
const MAX_LINE = 16 * 1024 * 1024
const LITERAL_ROOM = 64 * 1024
/** With a byte that says that there was more. */
export const MAX_SOURCE = 1024 * 1024 + 1

async function leave(client: ImapFlow): Promise<void> {
  await client.logout().catch(() => undefined)
  client.close()
}

export type Unopened = { ok: false; reason: InboxFailure; error: string }

/** Does something over one connection of its own; what goes wrong meanwhile is told by `broken`. */
export async function connected<T>(
  connection: InboxConnection,
  options: ImapProviderOptions,
  work: (client: ImapFlow) => Promise<T>,
  broken: (error: unknown) => T,
): Promise<T | Unopened> {
  const { inLine = (_host, go) => go() } = options
  return inLine(connection.host, async () => {
    const line = new AbortController()
    const hangUp = () => line.abort()
    if (options.signal?.aborted) hangUp()
    options.signal?.addEventListener('abort', hangUp)
    const { whole } = { ...TIMEOUTS, ...options.timeouts }
    let ended: string | null = null
    const end = (why: string) => {
      ended ??= why
      hangUp()
    }
    const timer = whole === null ? undefined : setTimeout(end, whole, TOO_LONG)
    try {
      const exceeded = () => end(TOO_MUCH)
      const opened = await open(connection, { ...options, signal: line.signal, exceeded })
      if ('reason' in opened) return { ok: false, ...opened, ...(ended ? { error: ended } : {}) }
      try {
        return await work(opened)
      } catch (error) {
        return broken(ended && !opened.usable ? new Error(ended, { cause: error }) : error)
      } finally {
        await leave(opened)
      }
    } finally {
      clearTimeout(timer)
      options.signal?.removeEventListener('abort', hangUp)
    }
  })
}

const TOO_LONG = 'The server took too long.'
const TOO_MUCH = 'The server answered with more than a mailbox can hold.'

/** Signed in, or why not. */
async function open(connection: InboxConnection, options: ImapProviderOptions & { exceeded: () => void }) {
  const resolved = await resolveHost(connection.host, connection.port, options.policy, options.lookup)
  if (!resolved.ok) {
    const reason: InboxFailure = resolved.reason === 'blocked' ? 'blocked' : 'resolve'
    return { reason, error: resolved.error }
  }
  // Large, and most mailboxes are read in another process.
  const { ImapFlow } = await import('imapflow')
  const most = clientOptions(resolved.addresses[0], connection, options)
  const logger = boundedAnswers({
    most_bytes: 2 * most.maxResponseSize,
    received: () => client.stats().received,
    exceeded: options.exceeded,
  })
  const client: ImapFlow = new ImapFlow({ ...most, logger })
  // A connection that breaks must not end the process; the command under way hears of it by itself.
  client.on('error', () => undefined)
  if (options.signal?.aborted) return { reason: 'lost' as const, error: 'It was not begun.' }
  options.signal?.addEventListener('abort', () => client.close(), { once: true })
  try {
    await client.connect()
    return client
  } catch (error) {
    client.close()
    const reason = toFailure(error)
    const words = said(error, connection)
    return {
      reason,
      error: reason === 'tls' ? tlsInWords(errorCode(error), connection.host, words) : words,
    }
  }
}

function clientOptions(
  address: string,
  { host, port, security, username, password, access_token }: InboxConnection,
  { ca, timeouts, max_source_bytes = MAX_SOURCE, max_idle_ms }: ImapProviderOptions,
): ImapFlowOptions & { maxResponseSize: number } {
  const { connect, greeting, reply } = { ...TIMEOUTS, ...timeouts }
  const servername = isIP(host) ? undefined : host
  return {
    host: address,
    port,
    secure: security === 'tls',
    doSTARTTLS: security === 'starttls',
    ...(servername && { servername }),
    tls: {
      minVersion: 'TLSv1.2',
      ...(servername && { servername }),
      ...(ca && { ca: [...rootCertificates, ca] }),
    },
    auth: {
      user: username ?? '',
      ...(access_token ? { accessToken: access_token } : { pass: password ?? '' }),
    },
    clientInfo: { name: false },
    disableAutoIdle: true,
    disableCompression: true,
    connectionTimeout: connect,
    greetingTimeout: greeting,
    socketTimeout: reply,
    maxLiteralSize: max_source_bytes + LITERAL_ROOM,
    maxLineLength: MAX_LINE,
    maxResponseSize: max_source_bytes + LITERAL_ROOM + MAX_LINE,
    ...(max_idle_ms && { maxIdleTime: max_idle_ms }),
  }
}

function toFailure(error: unknown): InboxFailure {
  if (!(error instanceof Error)) return 'connect'
  if ('authenticationFailed' in error && error.authenticationFailed) return 'auth'
  return isTlsFailure(errorCode(error)) ? 'tls' : 'connect'
}

const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** What the server said, without what it was told. */
export function said(error: unknown, { password, access_token }: InboxConnection): string {
  const message = error instanceof Error ? error.message : String(error)
  const responseText = error instanceof Error && 'responseText' in error ? error.responseText : ''
  const text = (responseText ? `${message}: ${responseText}` : message)
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, 1_000)
  return [password, access_token].reduce<string>(
    (kept, secret) => (secret ? kept.replaceAll(secret, '[secret]') : kept),
    text,
  )
}
