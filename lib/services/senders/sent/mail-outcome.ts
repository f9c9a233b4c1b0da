import type { Outcome } from '#lib/domain/sending/outcome'
import { failureCause } from '#lib/domain/sending/sender-failures'
import type { Refusal } from '#lib/providers/mail/port'
import type { sendFrom } from '#lib/services/senders/mailbox-connection'

/** What became of an email, as what it means for its lead and its sender. */
export function toOutcome(mail: Awaited<ReturnType<typeof sendFrom>>): Outcome {
  switch (mail.outcome) {
    case 'accepted':
      return {
        outcome: 'accepted',
        response: mail.response,
        server_message_id: mail.server_message_id,
        sender_worked: true,
      }
    case 'never_left': {
      const cause = mail.cause ?? failureCause(mail.reason)
      return {
        outcome: 'never_left',
        response: mail.error,
        ...(cause && { sender_fault: cause }),
        may_be_cause: mail.reason === 'lost',
      }
    }
    case 'unknown':
      return { outcome: 'unknown', response: mail.error, sender_worked: true }
    default: {
      const { outcome, response } = mail
      if (stopsSender(mail))
        return {
          outcome: 'never_left',
          response,
          sender_fault: outcome === 'refused_for_good' && mail.stage === 'mail' ? 'refused' : 'throttled',
          retry_after_ms: mail.retry_after_ms ?? null,
        }
      return { outcome, response, blames: mail.blames, sender_worked: true }
    }
  }
}

/**
 * Refused before the recipient was named, or for what the sender is or has sent today: the next message would fare no
 * better. What a server says of this recipient or these words is the lead's.
 */
const stopsSender = ({ blames, stage, enhanced }: Refusal): boolean =>
  blames === 'sender' && (stage === 'mail' || /^[45]\.(1\.[78]|4\.5)$/.test(enhanced ?? ''))
