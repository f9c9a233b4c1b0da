import { ReadMailboxHealth, ResumeMailboxProvider } from '#lib/contracts/senders/mailbox-health'
import { operation } from '#lib/operations/operation'
import { mailboxHealth } from '#lib/services/forecast/mailbox-health'
import { resumeProvider } from '#lib/services/sending/providers/resume-provider'

export const readMailboxHealth = operation(ReadMailboxHealth, ({ user, params, now }) =>
  mailboxHealth(user.workspace_id, params.mailbox_id, now),
)

export const resumeMailboxProvider = operation(ResumeMailboxProvider, ({ user, params, body, now }) =>
  resumeProvider(user.workspace_id, params.mailbox_id, body.provider, now),
)
