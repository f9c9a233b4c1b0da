import { isIP } from 'node:net'
import { rootCertificates } from 'node:tls'
import { ImapFlow, type ImapFlowOptions, type ListResponse } from 'imapflow'
import type {
  InboxConnection,
  InboxCursor,
  InboxFailure,
  InboxProvider,
  InboxReading,
} from '#lib/providers/inbox/port'
import { fileCopies, isInSent } from '#lib/providers/inbox/sent-folder'
import { findWhole } from '#lib/providers/inbox/whole-mail'
import { MESSAGE_REF } from '#lib/providers/mail/message-ref'
import { type Lookup, type OutboundPolicy, resolveHost } from '#lib/providers/outbound'

export type ImapProviderOptions = {
  policy: OutboundPolicy
  lookup?: Lookup
  /** Further certificate authorities, in PEM. */
  ca?: string
  timeouts?: Partial<ImapTimeouts>
  /** Of a larger mail only its beginning is fetched; attachments are not kept anyway. */
  max_source_bytes?: number
}

/** In milliseconds. `reply` bounds the silence of a server in the middle of a command. */
type ImapTimeouts = { connect: number; greeting: number; reply: number }

const TIMEOUTS: ImapTimeouts = { connect: 15_000, greeting: 15_000, reply: 60_000 }
const MAX_SOURCE = 1024 * 1024

/** What our own callers threw, told apart from what the server did. */
class KeepFailed extends Error {}

/**
 * Reads INBOX, and the folder that the server marks as junk, since answers land there too. One connection for one
 * reading, opened read-only: no mail is marked as seen. One mail at a time, in order, so that a connection that breaks
 * loses nothing and repeats nothing.
 */
export function createImapProvider(options: ImapProviderOptions): InboxProvider {
  return {
    async read(connection, reading) {
      const opened = await open(connection, options)
      if (!(opened instanceof ImapFlow)) return { ok: false, ...opened, read: 0 }
      const progress = { read: 0, more: false }
      try {
        const listed = await opened.list()
        for (const folder of readFolders(listed))
          await readFolder(opened, folder, reading, progress, options.max_source_bytes ?? MAX_SOURCE)
        if (reading.copies)
          await ours(fileCopies(opened, listed, reading.copies, (error) => said(error, connection)))
        return { ok: true, ...progress }
      } catch (error) {
        if (error instanceof KeepFailed) throw error.cause
        return { ok: false, reason: 'lost', error: said(error, connection), read: progress.read }
      } finally {
        await leave(opened)
      }
    },
    async findSent(connection, { message_id, since }) {
      const opened = await open(connection, options)
      if (!(opened instanceof ImapFlow)) return { ok: false, ...opened }
      try {
        const there = await isInSent(opened, message_id, since)
        return { ok: true, found: there ? { message_id } : null }
      } catch (error) {
        return { ok: false, reason: 'lost', error: said(error, connection) }
      } finally {
        await leave(opened)
      }
    },
    async fetchWhole(connection, mark) {
      const opened = await open(connection, { ...options, max_source_bytes: mark.max_bytes })
      if (!(opened instanceof ImapFlow)) return { ok: false, ...opened }
      try {
        return await findWhole(opened, mark)
      } catch (error) {
        return { ok: false, reason: 'lost', error: said(error, connection) }
      } finally {
        await leave(opened)
      }
    },
  }
}

async function leave(client: ImapFlow): Promise<void> {
  await client.logout().catch(() => undefined)
  client.close()
}

async function open(connection: InboxConnection, options: ImapProviderOptions) {
  const resolved = await resolveHost(connection.host, connection.port, options.policy, options.lookup)
  if (!resolved.ok) {
    const reason: InboxFailure = resolved.reason === 'blocked' ? 'blocked' : 'resolve'
    return { reason, error: resolved.error }
  }
  const client = new ImapFlow(clientOptions(resolved.addresses[0], connection, options))
  // A connection that breaks must not end the process; the command under way hears of it by itself.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    client.close()
    return { reason: toFailure(error), error: said(error, connection) }
  }
}

function clientOptions(
  address: string,
  { host, port, security, username, password, access_token }: InboxConnection,
  { ca, timeouts, max_source_bytes = MAX_SOURCE }: ImapProviderOptions,
): ImapFlowOptions {
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
    logger: false,
    disableAutoIdle: true,
    disableCompression: true,
    connectionTimeout: connect,
    greetingTimeout: greeting,
    socketTimeout: reply,
    maxLiteralSize: max_source_bytes + 64 * 1024,
  }
}

function readFolders(listed: ListResponse[]): string[] {
  const junk = listed.find(({ specialUse }) => specialUse === '\\Junk')
  return ['INBOX', ...(junk ? [junk.path] : [])]
}

type Progress = { read: number; more: boolean }

async function readFolder(
  client: ImapFlow,
  folder: string,
  reading: InboxReading,
  progress: Progress,
  maxLength: number,
): Promise<void> {
  const { uidValidity: uid_validity, uidNext } = await client.mailboxOpen(folder, { readOnly: true })
  const known = reading.findCursor(folder)
  const cursor = known?.uid_validity === uid_validity ? known : null
  if (cursor && uidNext <= cursor.last_uid + 1) return
  const uids = await newUids(client, cursor, reading.since)
  const batch = uids.slice(0, Math.max(0, reading.limit - progress.read))
  if (batch.length < uids.length) progress.more = true
  for (const uid of batch) {
    const query = { uid: true, size: true, internalDate: true, source: { start: 0, maxLength } }
    const fetched = await client.fetchOne(String(uid), query, { uid: true })
    // Nothing for a mail that was deleted meanwhile.
    const mail = fetched || null
    if (mail?.source) {
      const raw = new Uint8Array(mail.source)
      const received_at = mail.internalDate ? new Date(mail.internalDate) : new Date()
      const size_bytes = mail.size ?? raw.length
      const labels = await readLabels(client, folder, uid, raw)
      await ours(reading.keep({ folder, uid_validity, uid, raw, size_bytes, received_at, labels }))
      progress.read += 1
    }
    await ours(reading.advance(folder, { uid_validity, last_uid: uid }))
  }
  // Even an empty folder has a beginning from now on; numbers up to UIDNEXT were all looked at.
  if (batch.length === uids.length && uidNext > 1)
    await ours(reading.advance(folder, { uid_validity, last_uid: Math.max(uidNext - 1, ...batch.slice(-1)) }))
}

const HEAD_BYTES = 32 * 1024
const TABS = ['promotions', 'social', 'updates', 'forums']

/** Gmail tells its tabs by searches alone, so it is asked of mail of ours only: of a placement test, among others. */
async function readLabels(client: ImapFlow, folder: string, uid: number, raw: Uint8Array): Promise<string[]> {
  if (folder !== 'INBOX') return ['SPAM']
  const head = Buffer.from(raw.subarray(0, HEAD_BYTES)).toString('latin1').toLowerCase()
  const isOurs = head.includes(`${MESSAGE_REF.toLowerCase()}:`)
  if (!isOurs || !client.capabilities.has('X-GM-EXT-1')) return ['INBOX']
  for (const tab of TABS) {
    const query = { uid: `${uid}`, gmraw: `category:${tab}` }
    const there = (await client.search(query, { uid: true })) || []
    if (there.includes(uid)) return ['INBOX', `CATEGORY_${tab.toUpperCase()}`]
  }
  return ['INBOX']
}

/** In order. "n:*" names the last mail even where its number is lower (RFC 3501 section 6.4.8). */
async function newUids(client: ImapFlow, cursor: InboxCursor | null, since: Date): Promise<number[]> {
  const query = cursor ? { uid: `${cursor.last_uid + 1}:*` } : { since }
  const uids = (await client.search(query, { uid: true })) || []
  return uids.filter((uid) => !cursor || uid > cursor.last_uid).sort((a, b) => a - b)
}

async function ours(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (cause) {
    throw new KeepFailed('', { cause })
  }
}

function toFailure(error: unknown): InboxFailure {
  if (!(error instanceof Error)) return 'connect'
  if ('authenticationFailed' in error && error.authenticationFailed) return 'auth'
  const code = 'code' in error ? String(error.code) : ''
  return /^(ERR_TLS|ERR_SSL|EPROTO|UNABLE_TO_|STARTTLS)|CERT/.test(code) ? 'tls' : 'connect'
}

/** What the server said, without what it was told. */
function said(error: unknown, { password, access_token }: InboxConnection): string {
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
