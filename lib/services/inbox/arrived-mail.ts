import type { Match } from '#lib/domain/inbox/classify'

/** The message of ours that an inbound mail refers to. It has no lead if its campaign was deleted since. */
export type Found = {
  match: Match
  lead: FoundLead | null
}

export type FoundLead = {
  action_id: string
  campaign_lead_id: string
  campaign_id: string
  workspace_id: string
  step: number
  channel: string
  email: string
}

/** The mailbox a mail arrived in. */
export type InboundMailbox = {
  mailbox_id: string
  workspace_id: string
  address: string
  /** Absent: none. */
  aliases?: string[]
}

/** A mail as found in a folder. */
export type ArrivedMail = {
  folder: string
  uid_validity: bigint
  uid: number | bigint
  /** Its source, possibly truncated. */
  raw: Uint8Array
  /** Size of the whole mail. */
  size_bytes: number
  received_at: Date
  /** Where the server filed it, as Gmail labels; absent: in the inbox. */
  labels?: readonly string[]
  /** It was sent from the mailbox, rather than received. */
  is_sent?: boolean
  /** The server returned only its header, or nothing. */
  is_refused?: boolean
  /** For mail to a bounce address: the action that address was signed for. */
  bounced_action_id?: string
}
