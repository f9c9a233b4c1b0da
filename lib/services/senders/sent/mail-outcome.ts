import { blamedBy, limitWaitMs, readSenderFault, type SenderFaultSaid } from '#lib/domain/inbox/status-code'
import type { Outcome } from '#lib/domain/sending/outcome'
import { failureCause } from '#lib/domain/sending/sender-failures'
import type { MailOutcome } from '#lib/providers/mail/port'
import type { sendFrom } from '#lib/services/senders/mailbox-connection'

/** Converts the result of sending a mail into what it means for its lead and its sender. */
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
      const fault = senderFault(mail)
      if (fault)
        return {
          outcome: 'never_left',
          response,
          sender_fault: fault,
          retry_after_ms: mail.retry_after_ms ?? (isUsedUp(mail, fault) ? limitWaitMs(response) : null),
        }
      const words = saidOfSender(mail)
      if (words) return { outcome: 'never_left', response, sender_fault: words, may_be_cause: true }
      return { outcome, response, blames: blamed(mail), sender_worked: true }
    }
  }
}

type Refused = Extract<MailOutcome, { stage: unknown }>

/**
 * The sender's fault if the message was refused before a recipient was named, or because of the sender's identity or volume: the next
 * message would fare no better. A refusal of this recipient or this text concerns the lead.
 */
function senderFault({ outcome, blames, stage, enhanced, response }: Refused): SenderFaultSaid | null {
  const said = readSenderFault(enhanced, response)
  if (said) return said
  if (blames !== 'sender') return null
  if (stage === 'mail') return outcome === 'refused_for_good' ? 'refused' : 'throttled'
  return /^[45]\.(1\.[78]|4\.5)$/.test(enhanced ?? '') ? 'throttled' : null
}

const TOO_FAST =
  /rate limit|unusual rate|too many (messages|e-?mails|(concurrent )?(smtp )?connections)|concurrent connections|throttl/i
const NOT_LET =
  /relay(ing)? (access )?(is )?(denied|not permitted|not allowed|prohibited)|(unable|not permitted|not allowed) to relay|sender (address )?rejected|sender verify failed|smtp authentication|not authori[sz]ed to send/i

/**
 * The same, judged by the text alone. A server may report at RCPT TO what it objects to in MAIL FROM (Postfix does), but the text may
 * concern the recipient after all: so the lead waits longer each time, and other leads show whether the mailbox works.
 */
function saidOfSender({ outcome, stage, response }: Refused): SenderFaultSaid | null {
  if (outcome === 'refused_for_now' && TOO_FAST.test(response)) return 'throttled'
  return stage === 'rcpt' && NOT_LET.test(response) ? 'refused' : null
}

/** Without a meaningful code nothing is known about the recipient: an address is given up only for a text that says so. */
const blamed = ({ blames, enhanced, response }: Refused) =>
  blames === 'recipient' ? blamedBy(enhanced, response) : blames

/** A permanent code for a temporary condition: the daily limit is used up. */
const isUsedUp = ({ outcome, enhanced }: Refused, fault: SenderFaultSaid): boolean =>
  outcome === 'refused_for_good' && fault === 'throttled' && enhanced !== '5.1.7' && enhanced !== '5.1.8'
