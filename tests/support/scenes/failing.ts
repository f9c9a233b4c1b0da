import type { MailProvider } from '#lib/providers/mail/port'
import { testMailbox } from '#lib/services/senders/mailbox-test'

/** Columns of a mailbox or an account that has failed to send for long, and whose next attempt is far off. */
export const FAILING = {
  status: 'failing',
  failing_cause: 'sign_in',
  failing_since: new Date('2020-01-01T00:00:00.000Z'),
  failing_tries: 1,
  next_try_at: new Date('2100-01-01T00:00:00.000Z'),
} as const

const refusing = (error: string): MailProvider => ({
  verify: async () => ({ ok: false, reason: 'auth', error }),
  send: async () => ({ outcome: 'never_left', reason: 'auth', error }),
  close: async () => undefined,
})
const taking: MailProvider = { ...refusing(''), verify: async () => ({ ok: true }) }

/** The owner tests the mailbox, and the server refuses the sign-in. */
export const refuseSignIn = (workspaceId: string, mailboxId: string, now: Date, error = '535 no') =>
  testMailbox(workspaceId, mailboxId, now, refusing(error))

/** The owner tests the mailbox, and the test succeeds. */
export const takeSignIn = (workspaceId: string, mailboxId: string, now: Date) =>
  testMailbox(workspaceId, mailboxId, now, taking)
