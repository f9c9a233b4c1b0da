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
  /** Runs connections to the same host in turn; absent: at once. */
  inLine?: <T>(host: string, work: () => Promise<T>) => Promise<T>
  /** Further certificate authorities, in PEM. */
  ca?: string
  timeouts?: Partial<ImapTimeouts>
  /** Only the beginning of a larger mail is fetched; attachments are not stored anyway. */
  max_source_bytes?: number
  /** Closes the connection at once, whatever command is running. */
  signal?: AbortSignal
  /** How often IDLE is renewed. */
  max_idle_ms?: number
}

/**
 * In milliseconds. `reply` bounds the silence of a server during a command; `whole` bounds everything done over one connection
 * (null: no bound), because a server that keeps sending a little without coming to an end would hold up others. What was read by
 * then is kept.
 */
export type ImapTimeouts = { connect: number; greeting: number; reply: number; whole: number | null }

const TIMEOUTS: ImapTimeouts = { connect: 15_000, greeting: 15_000, reply: 60_000, whole: 300_000 }
/** The uids of two million mails fit into one line. */
const MAX_LINE = 16 * 1024 * 1024
const LITERAL_ROOM = 64 * 1024
/** One byte more than is kept, which shows that the mail was longer. */
export const MAX_SOURCE = 1024 * 1024 + 1

async function leave(client: ImapFlow): Promise<void> {
  await client.logout().catch(() => undefined)
  client.close()
}

export type Unopened = { ok: false; reason: InboxFailure; error: string }

/** Runs `work` over its own connection; `broken` turns an error that it throws into a result. */
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

/** The signed-in client, or why signing in failed. */
async function open(connection: InboxConnection, options: ImapProviderOptions & { exceeded: () => void }) {
  const resolved = await resolveHost(connection.host, connection.port, options.policy, options.lookup)
  if (!resolved.ok) {
    const reason: InboxFailure = resolved.reason === 'blocked' ? 'blocked' : 'resolve'
    return { reason, error: resolved.error }
  }
  // Loaded here because it is large, and most mailboxes are read in another process.
  const { ImapFlow } = await import('imapflow')
  const most = clientOptions(resolved.addresses[0], connection, options)
  const logger = boundedAnswers({
    most_bytes: 2 * most.maxResponseSize,
    received: () => client.stats().received,
    exceeded: options.exceeded,
  })
  const client: ImapFlow = new ImapFlow({ ...most, logger })
  // A broken connection must not end the process; the running command fails by itself.
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

/** The server's words, without the credentials it was sent. */
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
