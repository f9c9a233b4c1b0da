import type { MailApi } from '#lib/providers/mail/port'

/** How to reach the IMAP server, or the API, of a mailbox's incoming mail. */
export type InboxConnection = {
  host: string
  port: number
  /** `starttls` and `tls` demand a valid certificate; neither ever falls back to plain text. */
  security: 'none' | 'starttls' | 'tls'
  username: string | null
  password: string | null
  /** Signs in by XOAUTH2 (or OAUTHBEARER) instead of a password. */
  access_token?: string | null
  /** Mail is read over this vendor's API with the token instead of over IMAP. */
  api?: MailApi | null
  /** The mailbox to read if the token belongs to a whole organization. */
  api_user?: string | null
}

/**
 * How far a folder has been read. If `uid_validity` changes, earlier uids are meaningless. An API continues from `sync_token`;
 * without one it lists the mail since `last_uid`, in milliseconds.
 */
export type InboxCursor = {
  uid_validity: bigint
  last_uid: number
  sync_token?: string | null
  /** HIGHESTMODSEQ (RFC 7162) at the time when the whole folder had been read. */
  modseq?: bigint | null
}

export type FetchedMail = {
  folder: string
  uid_validity: bigint
  uid: number | bigint
  /** The mail; for a very large one only its beginning. */
  raw: Uint8Array
  /** The size of the whole mail. */
  size_bytes: number
  /** The server's time of arrival; may be an invalid date. */
  received_at: Date
  /** Where the server filed the mail, as Gmail labels; absent: in its inbox. */
  labels?: readonly string[]
  /** The mail was sent from this mailbox. */
  is_sent?: boolean
  /** The server refuses to return the rest: only the head is there, or nothing. */
  is_refused?: boolean
}

/** The position of a mail in its folder. */
export type Place = { folder: string; uid_validity: bigint; uid: number }

/** The head of a sent mail: when it left, and the header lines that say to whom and what it answers. */
export type SentHead = { head: Uint8Array; at: Date }

/** The only headers that are read of a sent mail: neither its text nor its subject. */
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

/** Reads mail that any program sent from a mailbox. Most of it is irrelevant here, so only picked mails are fetched. */
export type SentReading = {
  /** Null: the folder that the server marks as Sent. */
  folder: string | null
  /** Mail sent before this is ignored. */
  since: Date
  /** When a folder was last read; null: never. */
  findLooked: (folder: string) => Promise<Date | null>
  /** Which of these mails are fetched and passed to `keep`. */
  pick: (heads: SentHead[]) => Promise<boolean[]>
}

export type SentCopy = { id: string; message_id: string; raw: Buffer; sent_at: Date }

/** Sent messages to be filed in the Sent folder. */
export type SentCopies = {
  /** Null: the folder that the server marks as Sent. */
  folder: string | null
  waiting: SentCopy[]
  filed: (id: string) => Promise<void>
  refused: (ids: string[], error: string) => Promise<void>
}

export type InboxReading = {
  findCursor: (folder: string) => InboxCursor | null
  /** Which of these uids were stored before. */
  findKept: (folder: string, uid_validity: bigint, uids: number[]) => Promise<Set<number>>
  /**
   * The server refused to return this mail, which blocks those after it; returns true once it has been refused for too long to
   * wait.
   */
  refuse: (place: Place) => Promise<boolean>
  /** When the latest mail that was stored from this folder arrived. */
  findLatest: (folder: string) => Promise<Date | null>
  /** A folder without a cursor is read from this time on, not from its beginning. */
  since: Date
  /** The most mails of one reading. */
  limit: number
  /** Called in order of uid within a folder, with mails to be stored together; an error that it throws ends the reading. */
  keep: (mails: FetchedMail[]) => Promise<void>
  /** Called when every mail up to `last_uid` was stored. */
  advance: (folder: string, cursor: InboxCursor) => Promise<void>
  /** Filed after the reading, over the same connection; their outcome does not affect that of the reading. */
  copies?: SentCopies
  sent?: SentReading
}

/** `auth`: the server refuses the credentials. `blocked`: it is on a network that must not be reached. */
export type InboxFailure = 'auth' | 'blocked' | 'resolve' | 'connect' | 'tls' | 'lost' | 'folder'

export type InboxOutcome =
  | {
      ok: true
      read: number
      more: boolean
      /** Whether sent mail was read as well. */
      looked?: boolean
    }
  | { ok: false; reason: InboxFailure; error: string; read: number }

/** Identifies a message that may have been sent, by our Message-ID, whatever id the server gave it. */
export type SentMark = { message_id: string; to: string; since: Date }

/** With the Message-ID of the copy; null if there is no copy yet. */
export type SentSearch =
  | { ok: true; found: { message_id: string | null } | null }
  | { ok: false; reason: InboxFailure; error: string }

/** Identifies a mail that was read before: by its uid, otherwise by its Message-ID, since people move mail. */
export type MailMark = {
  folder: string
  uid_validity: bigint
  uid: bigint
  message_id: string | null
  /** A larger mail is not returned. */
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
  /** Fetches one mail again, whole, without changing anything. */
  fetchWhole(connection: InboxConnection, mark: MailMark): Promise<WholeMail>

  /** Looks for a message in sent mail. */
  findSent(connection: InboxConnection, mark: SentMark): Promise<SentSearch>

  /** Reads new mail. Returns a value for every failure of the server; throws only what `keep` and `advance` throw. */
  read(connection: InboxConnection, reading: InboxReading): Promise<InboxOutcome>
}
