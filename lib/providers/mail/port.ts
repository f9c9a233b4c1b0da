import type { DkimKey } from '#lib/providers/mail/dkim'

/** How to reach the mail server that a mailbox sends through. */
export type MailboxConnection = {
  host: string
  port: number
  /** `starttls` and `tls` demand a valid certificate; neither ever falls back to plain text. */
  security: 'none' | 'starttls' | 'tls'
  username: string | null
  password: string | null
  /** Signs in by XOAUTH2 instead of a password; one that has run out is refused before anything is offered. */
  access_token?: string | null
  /** Goes over the API of its vendor with that token instead of over SMTP; absent or null: over SMTP. */
  api?: MailApi | null
  /** Whose mailbox that is, where the token is a whole organization's; absent or null: whoever signed in. */
  api_user?: string | null
  /** In whose name its mail is signed; absent or null: unsigned. */
  dkim?: DkimKey | null
}

/** The API of Google or of Microsoft. */
export type MailApi = 'gmail' | 'graph'

export type MailAddress = { name: string | null; address: string }

/** One file that travels with a message. */
export type MailFile = { filename: string; content_type: string; content: Uint8Array }

/** One message to one person, with copies. Header values are plain text; encoding them is the driver's work. */
export type OutgoingMail = {
  from: MailAddress
  to: MailAddress
  /** Named in the message: it leaves for all of them, or for nobody. */
  cc?: MailAddress[]
  /** In the envelope alone; one that is refused keeps nobody else's from leaving. */
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
  /** What an API calls the draft that an earlier try made of it and did not send. */
  draft?: string | null
}

/** Which answer of the server refused: to MAIL FROM, RCPT TO, DATA, or to the message itself. */
export type RefusalStage = 'mail' | 'rcpt' | 'data' | 'body'

export type Refusal = {
  stage: RefusalStage
  /** SMTP code; null when the address or message was unfit to be offered at all. */
  code: number | null
  /** Enhanced status code (RFC 3463) such as `5.1.1`, where the server gave one. */
  enhanced: string | null
  response: string
  /** Only a refusal that blames the recipient says anything about the lead's address. */
  blames: 'recipient' | 'sender' | 'message'
  /** When the provider says to come back, where it does. */
  retry_after_ms?: number | null
}

/**
 * Why a message never left. `auth`: the server refuses these credentials, so the mailbox is disconnected
 * until its owner acts. `blocked`: the host is on a network that must not be reached. `busy`: no
 * connection of the pool came free in time. `late`: it might leave no more once its turn came. `scope`, `policy`, `client`: its owner did not allow it, their organization does
 * not, or the vendor does not know this instance. Any of them is safe to try again.
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

/** With the draft that is there already, where one is: the next try sends that one. */
export type NeverLeft = { outcome: 'never_left'; reason: NeverLeftReason; error: string; draft?: string }

/** What became of one message; the classes mean the same for every provider. */
export type MailOutcome =
  | { outcome: 'accepted'; response: string; server_message_id: string | null }
  | ({ outcome: 'refused_for_good' } & Refusal)
  | ({ outcome: 'refused_for_now' } & Refusal)
  | NeverLeft
  /** The connection ended after the message was offered: it may or may not have been taken. */
  | { outcome: 'unknown'; error: string }

export type MailVerification =
  | { ok: true }
  | { ok: false; reason: NeverLeftReason | 'throttled' | 'refused'; error: string }

/** Asked once it is a message's turn, and nothing else is waited for: whether it may still leave. */
export type MayLeave = () => boolean

export interface MailProvider {
  /** Offers one message once. Never throws for what a mail server does. */
  send(mailbox: MailboxConnection, message: OutgoingMail, mayLeave?: MayLeave): Promise<MailOutcome>
  /**
   * Connects and signs in on a fresh connection, and sends nothing. With `tried`, a server is asked as well whether it takes
   * mail from that address; an API has no question for that.
   */
  verify(mailbox: MailboxConnection, tried?: { from: string; to: string }): Promise<MailVerification>
  /** Lets messages under way finish, then closes every connection. */
  close(): Promise<void>
}
