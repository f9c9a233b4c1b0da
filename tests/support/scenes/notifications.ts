import { db, pool } from '#lib/db/client'
import type { MailOutcome, OutgoingMail } from '#lib/providers/mail/port'
import type { MessagingOutcome, ShortMessage } from '#lib/providers/messaging/port'
import { gatherDigests } from '#lib/services/telling/gather-notifications'
import type { Channels } from '#lib/services/telling/notification-channels'
import { sendMessages } from '#lib/services/telling/send-notification'
import { memoryMail } from '#tests/support/doubles/memory-mail'

export const APP = 'https://opener.example'
const MINUTE = 60_000
const start = Date.now()
/** Well after anything the test wrote. */
export const later = (count: number) => new Date(start + (60 + count) * MINUTE)

export type User = { workspace_id: string; user_id: string; email: string }

const connection = {
  host: 'mail',
  port: 25,
  security: 'none',
  username: null,
  password: null,
} as const

/** An instance whose mail and chat messages are recorded. */
export function instance(
  answers: {
    mail?: (mail: OutgoingMail) => MailOutcome | Promise<MailOutcome>
    message?: MessagingOutcome
  } = {},
) {
  const mail = memoryMail(answers.mail)
  const messages: ShortMessage[] = []
  const channels: Channels = {
    email: {
      provider: mail.provider,
      connection,
      from: { name: 'Opener', address: 'notifications@opener.example' },
      is_sandbox: false,
    },
    messaging: {
      provider: {
        send: async (message) => {
          messages.push(message)
          return answers.message ?? { outcome: 'accepted', response: '200' }
        },
      },
      is_sandbox: false,
    },
  }
  const gather = (at: Date) => gatherDigests(pool(), APP, channels, at)
  const send = (at: Date) => sendMessages({ pool: pool(), channels, clock: () => at, until: later(99_999) })
  return {
    channels,
    outbox: mail.outbox,
    messages,
    gather,
    send,
    notify: async (at: Date) => {
      await gather(at)
      return send(at)
    },
  }
}

export const told = (owner: User, kind = 'reply', email = 'ada@acme.example') =>
  db.notification.create({ data: { workspace_id: owner.workspace_id, kind, data: { email } } })
export const messagesOf = (owner: User) =>
  db.notificationMessage.findMany({
    where: { workspace_id: owner.workspace_id },
    orderBy: { created_at: 'asc' },
  })
