import type { Pool } from 'pg'
import { pool } from '#lib/db/client'
import { unsealOrNull } from '#lib/db/seal'
import { env } from '#lib/env'
import { timedProvider } from '#lib/metrics'
import type { InboxListener, Listened, Listening } from '#lib/providers/inbox/idle'
import { createImapProvider } from '#lib/providers/inbox/imap'
import { createImapCheck, type InboxCheck } from '#lib/providers/inbox/imap-check'
import type {
  InboxConnection,
  InboxFailure,
  InboxProvider,
  InboxReading,
  MailMark,
  SentMark,
  SentSearch,
  WholeMail,
} from '#lib/providers/inbox/port'
import { readSandbox, sandboxWhole } from '#lib/providers/inbox/sandbox'
import { createGmailInbox } from '#lib/providers/mail-api/gmail/read'
import { createGraphInbox } from '#lib/providers/mail-api/graph/read'
import { routedInbox } from '#lib/providers/mail-api/routed'
import { createHostLine } from '#lib/services/inbox/mailboxes/host-line'
import { accessToken, type Token, type Vendors } from '#lib/services/senders/grants/access-token'
import { mailApiOptions } from '#lib/services/senders/grants/vendors'

/** The drivers for every kind of mailbox, with the policy on which hosts users may connect to. */
export function inboxProvider(): InboxProvider {
  const { ALLOW_PRIVATE_HOSTS: allow_private_hosts, MAIL_HOST_CONNECTIONS: most } = env()
  const imap = createImapProvider({ policy: { allow_private_hosts }, inLine: createHostLine({ pool, most }) })
  return routedInbox(imap, {
    gmail: createGmailInbox(mailApiOptions('gmail')),
    graph: createGraphInbox(mailApiOptions('graph')),
  })
}

/** Checks whether a server's mail can be read, with the same policy and connection limit. */
export function inboxCheck(): InboxCheck {
  const { ALLOW_PRIVATE_HOSTS: allow_private_hosts, MAIL_HOST_CONNECTIONS: most } = env()
  return createImapCheck({ policy: { allow_private_hosts }, inLine: createHostLine({ pool, most }) })
}

export type ReadableMailbox = {
  mailbox_id: string
  imap: Omit<InboxConnection, 'password'> | null
  imap_password: string | null
  by_oauth: boolean
}

type Options = { pool: Pool; imap: InboxProvider; now: Date; vendors?: Vendors | undefined }

/** Reads new mail of a mailbox: by password, by OAuth grant, or from the sandbox. */
export async function readFrom(options: Options, mailbox: ReadableMailbox, reading: InboxReading) {
  if (!mailbox.imap) {
    const read = await readSandbox(options.pool, mailbox.mailbox_id, reading)
    return { ok: true as const, ...read }
  }
  const outcome = await overConnection(options, { ...mailbox, imap: mailbox.imap }, (connection) =>
    timedProvider('imap', () => options.imap.read(connection, reading)),
  )
  return 'read' in outcome ? outcome : { ...outcome, read: 0 }
}

/** Whether a message is in the mailbox's Sent folder; null if that cannot be determined. */
export async function findSentBy(
  options: Options,
  mailbox: ReadableMailbox,
  mark: SentMark,
): Promise<SentSearch | null> {
  if (!mailbox.imap) return null
  return overConnection(options, { ...mailbox, imap: mailbox.imap }, (connection) =>
    timedProvider('imap', () => options.imap.findSent(connection, mark)),
  )
}

/** Fetches one complete mail again. */
export async function fetchWholeFrom(
  options: Options,
  mailbox: ReadableMailbox,
  mark: MailMark,
): Promise<WholeMail> {
  if (!mailbox.imap) return sandboxWhole(options.pool, mailbox.mailbox_id, mark)
  return overConnection(options, { ...mailbox, imap: mailbox.imap }, (connection) =>
    timedProvider('imap', () => options.imap.fetchWhole(connection, mark)),
  )
}

/** Listens to the inbox without reading mail. */
export async function listenTo(
  { listen, ...options }: Omit<Options, 'imap'> & { listen: InboxListener },
  mailbox: ReadableMailbox & { imap: NonNullable<ReadableMailbox['imap']> },
  listening: Listening,
): Promise<Listened> {
  return overConnection(options, mailbox, (connection) => listen(connection, listening))
}

/** Signs in without reading mail. */
export async function tryReading(
  { check, ...options }: Omit<Options, 'imap'> & { check: InboxCheck },
  mailbox: ReadableMailbox & { imap: NonNullable<ReadableMailbox['imap']> },
) {
  return overConnection(options, mailbox, (connection) => timedProvider('imap', () => check(connection)))
}

const UNSEALED = 'The mailbox password cannot be decrypted. Was ENCRYPTION_KEY changed?'

type Unopened = { ok: false; reason: 'auth'; error: string }
const unopened = (error: string): Unopened => ({ ok: false, reason: 'auth', error })

/** If the server refuses a token, it is renewed once: it may have been revoked early. */
async function overConnection<
  T extends { ok: true } | { ok: false; reason: InboxFailure | 'gone' | 'too_large' },
>(
  { pool, now, vendors }: Omit<Options, 'imap'>,
  {
    mailbox_id,
    imap,
    imap_password,
    by_oauth,
  }: ReadableMailbox & { imap: NonNullable<ReadableMailbox['imap']> },
  work: (connection: InboxConnection) => Promise<T>,
): Promise<T | Unopened> {
  if (!by_oauth) {
    const password = imap_password && unsealOrNull(imap_password)
    return imap_password !== null && password === null ? unopened(UNSEALED) : work({ ...imap, password })
  }
  const ask = (refused?: string) => accessToken(mailbox_id, { pool, now, refused, vendors })
  const first = await ask()
  if (!first.ok) return unopened(first.said)
  const outcome = await work({ ...imap, password: null, ...byToken(first) })
  if (outcome.ok || outcome.reason !== 'auth') return outcome
  const anew = await ask(first.access_token)
  return anew.ok ? work({ ...imap, password: null, ...byToken(anew) }) : unopened(anew.said)
}

const byToken = ({ access_token, api, api_user }: Extract<Token, { ok: true }>) => ({
  access_token,
  api,
  api_user,
})
