import type { MailOutcome, MailProvider, OutgoingMail } from '#lib/providers/mail/port'

export const ACCEPTED: MailOutcome = { outcome: 'accepted', response: '250 OK', server_message_id: null }

/** A mail provider in memory that records what it was offered; `answer` decides the outcome of each message. */
export function memoryMail(
  answer: (message: OutgoingMail) => MailOutcome | Promise<MailOutcome> = () => ACCEPTED,
) {
  const outbox: OutgoingMail[] = []
  const provider: MailProvider = {
    async send(_mailbox, message) {
      outbox.push(message)
      return answer(message)
    },
    verify: async () => ({ ok: true }),
    close: async () => undefined,
  }
  return { provider, outbox }
}
