import type { MailApi } from '#lib/providers/mail/port'

/** How to reach the server that keeps a mailbox's incoming mail. */
export type InboxConnection = {
  host: string
  port: number
  /** `starttls` and `tls` demand a valid certificate; neither ever falls back to plain text. */
  security: 'none' | 'starttls' | 'tls'
  username: string | null
  password: string | null
  /** Signs in by XOAUTH2 (or OAUTHBEARER) instead of a password. */
  access_token?: string | null
  /** Read over the API of its vendor with that token instead of over IMAP. */
  api?: MailApi | null
  /** Whose mailbox that is, where the token is a whole organization's. */
  api_user?: string | null
}

/**
 * How far a folder has been read. Another `uid_validity` means that its numbers mean nothing any more. An API goes on from
 * `sync_token`; without one it lists what came in since `last_uid`, in milliseconds.
 */
export type InboxCursor = {
  uid_validity: bigint
  last_uid: number
  sync_token?: string | null
  /** HIGHESTMODSEQ (RFC 7162) when all of it was read. */
  modseq?: bigint | null
}

export type FetchedMail = {
  folder: string
  uid_validity: bigint
  uid: number | bigint
  /** The mail, or of a very large one its beginning. */
  raw: Uint8Array
  /** Of the whole mail. */
  size_bytes: number
  /** When the server took it in, as it says; it may be no date at all. */
  received_at: Date
  /** How the server has filed it, in the words of Gmail's labels; absent: in its inbox. */
  labels?: readonly string[]
  /** It left this mailbox. */
  is_sent?: boolean
  /** Its server gives no more of it than this: its head, or nothing. */
  is_refused?: boolean
}

/** A mail in its folder. */
export type Place = { folder: string; uid_validity: bigint; uid: number }

/** Of a mail that left a mailbox: when, and the lines of its head that say to whom and what it answers. */
export type SentHead = { head: Uint8Array; at: Date }

/** What is asked of such a head, and nothing else: neither the words of a mail nor its subject. */
export const SENT_FIELDS = [
  'Message-ID',
  'X-Message-Ref',
  'From',
  'To',
  'Cc',
  'Bcc',
  'In-Reply-To',
  'References',
  'Auto-Submitted',
  'Precedence',
  'List-Id',
  'List-Unsubscribe',
]

/** What left a mailbox by whatever program. Most of it is nobody's business here: only what is picked is fetched. */
export type SentReading = {
  /** Null: the folder that the server marks as such. */
  folder: string | null
  /** Nothing that left before is looked at. */
  since: Date
  /** When a folder was last looked at; null: never. */
  findLooked: (folder: string) => Promise<Date | null>
  /** Which of these are fetched, and given to `keep`. */
  pick: (heads: SentHead[]) => Promise<boolean[]>
}

export type SentCopy = { id: string; message_id: string; raw: Buffer; sent_at: Date }

/** What was sent and is to be put into the Sent folder. */
export type SentCopies = {
  /** Null: the one that the server marks as such. */
  folder: string | null
  waiting: SentCopy[]
  filed: (id: string) => Promise<void>
  refused: (ids: string[], error: string) => Promise<void>
}

export type InboxReading = {
  findCursor: (folder: string) => InboxCursor | null
  /** Which of these were taken in before. */
  findKept: (folder: string, uid_validity: bigint, uids: number[]) => Promise<Set<number>>
  /** Its server refused to give this one, which holds up those behind it; true once that has lasted too long to wait for it. */
  refuse: (place: Place) => Promise<boolean>
  /** When the latest mail that was taken from it came in. */
  findLatest: (folder: string) => Promise<Date | null>
  /** A folder without a cursor is read from here on, not from its beginning. */
  since: Date
  /** Most mails of one reading. */
  limit: number
  /** Called in order of uid within a folder, with what is taken in together; what it throws ends the reading. */
  keep: (mails: FetchedMail[]) => Promise<void>
  /** Called when all up to `last_uid` was kept. */
  advance: (folder: string, cursor: InboxCursor) => Promise<void>
  /** Put there after all was read, over the same connection; what becomes of them is no outcome of the reading. */
  copies?: SentCopies
  sent?: SentReading
}

/** `auth`: the server refuses these credentials. `blocked`: it is on a network that must not be reached. */
export type InboxFailure = 'auth' | 'blocked' | 'resolve' | 'connect' | 'tls' | 'lost' | 'folder'

export type InboxOutcome =
  | {
      ok: true
      read: number
      more: boolean
      /** Whether what left it was looked at too. */
      looked?: boolean
    }
  | { ok: false; reason: InboxFailure; error: string; read: number }

/** A message that may have left: ours by this Message-ID, whatever the server calls it. */
export type SentMark = { message_id: string; to: string; since: Date }

/** With the Message-ID that the copy has; null where no copy is there, yet. */
export type SentSearch =
  | { ok: true; found: { message_id: string | null } | null }
  | { ok: false; reason: InboxFailure; error: string }

/** A mail that was read before: by what its folder called it, or else by its Message-ID, since people move their mail. */
export type MailMark = {
  folder: string
  uid_validity: bigint
  uid: bigint
  message_id: string | null
  /** Of a larger one nothing is answered. */
  max_bytes: number
}

export type WholeMail =
  | { ok: true; raw: Uint8Array }
  | { ok: false; reason: InboxFailure | 'gone' | 'too_large'; error: string }

export const mailGone = (): WholeMail => ({
  ok: false,
  reason: 'gone',
  error: 'The mailbox no longer has it.',
})
export const mailTooLarge = (): WholeMail => ({ ok: false, reason: 'too_large', error: 'It is too large.' })

export interface InboxProvider {
  /** Reads one mail again, all of it, and changes nothing about it. */
  fetchWhole(connection: InboxConnection, mark: MailMark): Promise<WholeMail>

  /** Looks for a message among what was sent. */
  findSent(connection: InboxConnection, mark: SentMark): Promise<SentSearch>

  /** Reads what is new. Answers a value for whatever a server does; throws only what `keep` and `advance` throw. */
  read(connection: InboxConnection, reading: InboxReading): Promise<InboxOutcome>
}
