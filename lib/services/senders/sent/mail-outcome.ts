import { blamedBy, limitWaitMs, readSenderFault, type SenderFaultSaid } from '#lib/domain/inbox/status-code'
import type { Outcome } from '#lib/domain/sending/outcome'
import { failureCause } from '#lib/domain/sending/sender-failures'
import type { MailOutcome } from '#lib/providers/mail/port'
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
 * Refused before the recipient was named, or for what the sender is or has sent today: the next message would fare no
 * better. What a server says of this recipient or these words is the lead's.
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
 * The same by words alone. A server may tell only at RCPT TO what it holds against MAIL FROM (Postfix does), and these words may be
 * about a recipient after all: so the lead waits longer each time, and others show what the mailbox can do.
 */
function saidOfSender({ outcome, stage, response }: Refused): SenderFaultSaid | null {
  if (outcome === 'refused_for_now' && TOO_FAST.test(response)) return 'throttled'
  return stage === 'rcpt' && NOT_LET.test(response) ? 'refused' : null
}

/** A code that says nothing, or none, says nothing of the recipient: an address is given up only for words of its own. */
const blamed = ({ blames, enhanced, response }: Refused) =>
  blames === 'recipient' ? blamedBy(enhanced, response) : blames

/** Said for good of what passes: the limit of a day is used up. */
const isUsedUp = ({ outcome, enhanced }: Refused, fault: SenderFaultSaid): boolean =>
  outcome === 'refused_for_good' && fault === 'throttled' && enhanced !== '5.1.7' && enhanced !== '5.1.8'
