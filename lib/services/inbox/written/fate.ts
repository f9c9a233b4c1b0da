import type { MailOutcome, OutgoingMail } from '#lib/providers/mail/port'
import { IN_SENT } from '#lib/services/senders/sent/sent-mark'

export type Fate = {
  delivery_status: 'sent' | 'failed' | 'uncertain'
  response: string
  server_message_id?: string | null
}

/** If the server assigned its own Message-ID, replies will refer to that one. */
export const toFoundFate = ({ message_id }: { message_id: string | null }, mail: OutgoingMail): Fate => ({
  delivery_status: 'sent',
  response: IN_SENT,
  ...(message_id !== mail.message_id && { server_message_id: message_id }),
})

/** The outcome of a reply as it is stored. */
export function toFate(outcome: MailOutcome): Fate {
  switch (outcome.outcome) {
    case 'accepted': {
      const { response, server_message_id } = outcome
      return { delivery_status: 'sent', response, ...(server_message_id && { server_message_id }) }
    }
    case 'unknown':
      return { delivery_status: 'uncertain', response: outcome.error }
    case 'never_left':
      return { delivery_status: 'failed', response: outcome.error }
    default:
      return { delivery_status: 'failed', response: outcome.response }
  }
}
