import { FindEmail, FindEmails, ListFoundEmails, VerifyEmail } from '#lib/contracts/enrichment/email-finder'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/enrichment/email-finder-sessions'
import { findEmail as find } from '#lib/services/finder/find'
import { verifyEmail as verify } from '#lib/services/finder/verify'

export const findEmail = operation(FindEmail, ({ user, body, now }) => find(user.workspace_id, body, now))
export const verifyEmail = operation(VerifyEmail, ({ user, body, now }) =>
  verify(user.workspace_id, body.email, now),
)
export const findEmails = operation(FindEmails, ({ user, body }) =>
  service.findEmails(user.workspace_id, body),
)
export const listFoundEmails = operation(ListFoundEmails, ({ user, params, query }) =>
  service.listFoundEmails(user.workspace_id, params.dataset_id, params.session_id, query),
)
