import type { DkimKey } from '#lib/providers/mail/dkim'

/** How to reach the mail server, or the API, that a mailbox sends through. */
export type MailboxConnection = {
  host: string
  port: number
  /** `starttls` and `tls` demand a valid certificate; neither ever falls back to plain text. */
  security: 'none' | 'starttls' | 'tls'
  username: string | null
  password: string | null
  /** Signs in by XOAUTH2 instead of a password; with an expired token the send is refused before anything is offered. */
  access_token?: string | null
  /** Sends over this vendor's API with the token instead of over SMTP; absent or null: over SMTP. */
  api?: MailApi | null
  /** The mailbox to send from if the token belongs to a whole organization; absent or null: that of the account that signed in. */
  api_user?: string | null
  /** The key that signs its mail; absent or null: unsigned. */
  dkim?: DkimKey | null
}

/** The API of Google or of Microsoft. */
export type MailApi = 'gmail' | 'graph'

export type MailAddress = { name: string | null; address: string }

/** One file that travels with a message. */
export type MailFile = { filename: string; content_type: string; content: Uint8Array }

/** One message to one person, with copies. Header values are plain text; the driver encodes them. */
export type OutgoingMail = {
  from: MailAddress
  to: MailAddress
  /** Visible recipients: the message is sent to all of them or to nobody. */
  cc?: MailAddress[]
  /** In the envelope only; if one is refused, the message still goes to the others. */
  bcc?: MailAddress[]
  reply_to: MailAddress | null
  subject: string
  date: Date
  /** With the angle brackets. */
  message_id: string
  in_reply_to: string | null
  references: string[]
  /** Further headers by name, such as List-Unsubscribe. */
  headers: Record<string, string>
  text: string
  html: string
  attachments?: MailFile[]
  /** Where bounces go (MAIL FROM); absent or null: to the sender. */
  return_path?: string | null
  /** The API's id of the draft that an earlier attempt created and did not send. */
  draft?: string | null
}

/** The stage at which the server refused: MAIL FROM, RCPT TO, DATA, or the message itself. */
export type RefusalStage = 'mail' | 'rcpt' | 'data' | 'body'

export type Refusal = {
  stage: RefusalStage
  /** SMTP code; null if the address or message was unfit to be offered at all. */
  code: number | null
  /** Enhanced status code (RFC 3463) such as `5.1.1`, if the server gave one. */
  enhanced: string | null
  response: string
  /** Only a refusal that blames the recipient says anything about the lead's address. */
  blames: 'recipient' | 'sender' | 'message'
  /** When the provider says to try again, if it does. */
  retry_after_ms?: number | null
}

/**
 * Why a message never left. `auth`: the server refuses these credentials, so the mailbox is disconnected until its owner acts.
 * `blocked`: the host is on a network that must not be reached. `busy`: no connection of the pool became free in time. `late`:
 * when its turn came, it was too late to send it. `scope`: the owner did not grant the permission; `policy`: their organization
 * does not allow it; `client`: the vendor does not accept this instance. After any of them it is safe to try again.
 */
export type NeverLeftReason =
  | 'resolve'
  | 'blocked'
  | 'connect'
  | 'tls'
  | 'auth'
  | 'lost'
  | 'busy'
  | 'late'
  | 'closed'
  | 'scope'
  | 'policy'
  | 'client'

/** With the draft that already exists, if there is one: the next attempt sends that one. */
export type NeverLeft = { outcome: 'never_left'; reason: NeverLeftReason; error: string; draft?: string }

/** The outcome of one message; the classes mean the same for every provider. */
export type MailOutcome =
  | { outcome: 'accepted'; response: string; server_message_id: string | null }
  | ({ outcome: 'refused_for_good' } & Refusal)
  | ({ outcome: 'refused_for_now' } & Refusal)
  | NeverLeft
  /** The connection ended after the message was offered: it may or may not have been accepted. */
  | { outcome: 'unknown'; error: string }

export type MailVerification =
  | { ok: true }
  | { ok: false; reason: NeverLeftReason | 'throttled' | 'refused'; error: string }

/** Called right before the message is offered, when nothing is left to wait for: whether it may still be sent. */
export type MayLeave = () => boolean

export interface MailProvider {
  /** Offers one message once. Never throws for what a mail server does. */
  send(mailbox: MailboxConnection, message: OutgoingMail, mayLeave?: MayLeave): Promise<MailOutcome>
  /**
   * Connects and signs in on a fresh connection, and sends nothing. With `tried`, an SMTP server is also asked whether it
   * accepts mail from that address; an API cannot be asked.
   */
  verify(mailbox: MailboxConnection, tried?: { from: string; to: string }): Promise<MailVerification>
  /** Lets messages in progress finish, then closes every connection. */
  close(): Promise<void>
}
