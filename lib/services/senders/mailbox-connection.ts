import type { Pool } from 'pg'
import { unseal } from '#lib/db/seal'
import { mayRename } from '#lib/domain/domains/sent-folders'
import { isOwnAddress, lostAddress, sendingAddress } from '#lib/domain/messages/own-addresses'
import type { SenderCause } from '#lib/domain/sending/sender-failures'
import { env } from '#lib/env'
import { timedProvider } from '#lib/metrics'
import { MESSAGE_REF } from '#lib/providers/mail/message-ref'
import type {
  MailboxConnection,
  MailOutcome,
  MailProvider,
  MailVerification,
  MayLeave,
  NeverLeft,
  OutgoingMail,
} from '#lib/providers/mail/port'
import { sandboxCredentials } from '#lib/providers/mail/sandbox-credentials'
import { accessToken, type Vendors } from '#lib/services/senders/grants/access-token'

/** What is known about a mailbox before signing in to it. */
export type Openable = {
  mailbox_id: string
  address: string
  aliases?: string[]
  send_as?: string | null
  smtp: Pick<MailboxConnection, 'host' | 'port' | 'security' | 'username'>
  smtp_password: string | null
  /** Signs in with a token granted by Google or Microsoft. */
  by_oauth?: boolean
  /** Signs in with the credentials that its owner typed, even at the sandbox. */
  as_typed?: boolean
  dkim?: MailboxConnection['dkim']
}

type Opened =
  | { ok: true; connection: MailboxConnection; good_until: number }
  | { ok: false; cause: SenderCause; said: string }

const UNSEALED = 'The mailbox password cannot be decrypted. Was ENCRYPTION_KEY changed?'

/** The connection of a mailbox with decrypted credentials and DKIM key. */
async function open(
  mailbox: Openable,
  asking: { pool: Pool; now: Date; refused?: string | undefined; vendors?: Vendors | undefined },
): Promise<Opened> {
  const { mailbox_id, smtp, smtp_password, by_oauth, as_typed, dkim } = mailbox
  const { SANDBOX_SMTP_PORT, ENCRYPTION_KEY } = env()
  const isSandbox = !as_typed && smtp.host === '127.0.0.1' && smtp.port === SANDBOX_SMTP_PORT
  const token = by_oauth ? await accessToken(mailbox_id, asking) : null
  if (token && !token.ok) return token
  try {
    const credentials = isSandbox
      ? sandboxCredentials({ role: 'from', mailbox_id }, ENCRYPTION_KEY)
      : {
          password: smtp_password && unseal(smtp_password),
          access_token: token?.access_token ?? null,
          api: token?.api ?? null,
          api_user: token?.api_user ?? null,
        }
    const key = dkim ? { ...dkim, private_key: unseal(dkim.private_key) } : null
    const good_until = token?.good_until ?? Number.POSITIVE_INFINITY
    return { ok: true, connection: { ...smtp, ...credentials, dkim: key }, good_until }
  } catch {
    return { ok: false, cause: 'misconfigured', said: UNSEALED }
  }
}

/** Opens mailboxes, each once while its token is valid: a claim has many messages of one mailbox. */
export function createOpener(pool: Pool, clock: () => Date, vendors?: Vendors) {
  const known = new Map<string, Promise<Opened>>()
  const openAnew = (mailbox: Openable, refused?: string) => {
    const anew = open(mailbox, { pool, now: clock(), refused, vendors })
    known.set(mailbox.mailbox_id, anew)
    return anew
  }
  return async (mailbox: Openable, refused?: string): Promise<Opened> => {
    // All callers that wait for one mailbox continue in their order of arrival.
    const opened = await ((refused ? undefined : known.get(mailbox.mailbox_id)) ?? openAnew(mailbox, refused))
    const isOver = opened.ok && opened.good_until <= clock().getTime()
    return isOver ? openAnew(mailbox) : opened
  }
}
export type Opener = ReturnType<typeof createOpener>

/** `cause` is set if the mailbox could not even be opened. */
type Sent = MailOutcome & { cause?: SenderCause }

/** Nothing is sent under an address that is not the mailbox's own, or that its provider would silently replace. */
const refuseOthers = (from: string): Sent => closed({ cause: 'refused', said: lostAddress(from) })

/**
 * Offers a message once, from one of the mailbox's own addresses. If the server refuses the token before anything was offered, the token is
 * renewed and the message is offered with it; any later result is final and not retried.
 */
export async function sendFrom(
  provider: MailProvider,
  opener: Opener,
  mailbox: Openable,
  message: OutgoingMail,
  mayLeave?: MayLeave,
): Promise<Sent> {
  if (!isOwnAddress(mailbox, message.from.address)) return refuseOthers(message.from.address)
  const opened = await opener(mailbox)
  if (!opened.ok) return closed(opened)
  const { connection } = opened
  const mail = withRef(connection, message)
  const outcome = await timedProvider('smtp', () => provider.send(connection, mail, mayLeave))
  if (!connection.access_token || !isRefusedSignIn(outcome)) return outcome
  const anew = await opener(mailbox, connection.access_token)
  if (!anew.ok) return closed(anew)
  const { draft = null } = outcome
  return timedProvider('smtp', () => provider.send(anew.connection, { ...mail, draft }, mayLeave))
}

/** The header identifies the copy in Sent if the server replaces the Message-ID. The APIs have their own means. */
const withRef = ({ host, api }: MailboxConnection, message: OutgoingMail): OutgoingMail =>
  api || !mayRename(host)
    ? message
    : { ...message, headers: { ...message.headers, [MESSAGE_REF]: message.message_id } }

const closed = ({ cause, said }: { cause: SenderCause; said: string }): Sent => ({
  outcome: 'never_left',
  reason: 'auth',
  error: said,
  cause,
})

const isRefusedSignIn = (outcome: MailOutcome): outcome is NeverLeft =>
  outcome.outcome === 'never_left' && outcome.reason === 'auth'

/** Connects and signs in without sending. If the mailbox sends as another address, its server is asked whether it may. */
export async function verifyMailbox(
  provider: MailProvider,
  opener: Opener,
  mailbox: Openable,
): Promise<MailVerification & { cause?: SenderCause }> {
  const from = sendingAddress(mailbox)
  if (!isOwnAddress(mailbox, from))
    return { ok: false, reason: 'auth', error: lostAddress(from), cause: 'refused' }
  const opened = await opener(mailbox)
  if (!opened.ok) return { ok: false, reason: 'auth', error: opened.said, cause: opened.cause }
  const { connection } = opened
  const tried = from === mailbox.address ? undefined : { from, to: mailbox.address }
  const verified = await provider.verify(connection, tried)
  if (verified.ok || verified.reason !== 'auth' || !connection.access_token) return verified
  const anew = await opener(mailbox, connection.access_token)
  return anew.ok
    ? provider.verify(anew.connection, tried)
    : { ok: false, reason: 'auth', error: anew.said, cause: anew.cause }
}
