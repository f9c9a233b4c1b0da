import { z } from 'zod'
import { dateTime } from '#lib/contracts/fields'
import { SENDER_CAUSES } from '#lib/domain/sending/sender-failures'

/** The outage fields that mailboxes and social accounts share. */
export const failure = {
  failing_cause: z
    .enum(SENDER_CAUSES)
    .nullable()
    .describe(
      'Why it cannot send. `sign_in`: its credentials were refused; `blocked`: its host is on a private network, see `ALLOW_PRIVATE_HOSTS`; `unreadable`: its incoming mail could not be read before a follow-up; `signed_out`: Google or Microsoft no longer allows access, and its owner must reconnect it; `needs_admin`: an administrator of its organization must allow this instance.',
    ),
  failing_since: dateTime().nullable(),
  next_try_at: dateTime()
    .nullable()
    .describe('When one action is retried, then after 1, 2, 4 … 60 minutes. Null while it works.'),
}
