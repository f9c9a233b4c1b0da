import type { Match } from '#lib/domain/inbox/classify'

/** The message of ours that an inbound mail is about. Without a lead where its campaign was deleted since. */
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

/** The mailbox that a mail came to. */
export type InboundMailbox = {
  mailbox_id: string
  workspace_id: string
  address: string
  /** Absent: none. */
  aliases?: string[]
}

/** A mail as a folder held it. */
export type ArrivedMail = {
  folder: string
  uid_validity: bigint
  uid: number | bigint
  /** Its bytes, possibly only their beginning. */
  raw: Uint8Array
  /** Of the whole mail. */
  size_bytes: number
  received_at: Date
  /** How the server has filed it, in the words of Gmail's labels; absent: in its inbox. */
  labels?: readonly string[]
  /** It left the mailbox. */
  is_sent?: boolean
  /** Its server gives its head alone, or nothing. */
  is_refused?: boolean
  /** Of mail to a bounce address: the action that the address is signed for. */
  bounced_action_id?: string
}
