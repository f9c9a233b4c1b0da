import { ReadContactPolicy, UpdateContactPolicy } from '#lib/contracts/workspaces/contact-policy'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/workspaces/contact-policy'

export const readContactPolicy = operation(ReadContactPolicy, ({ user }) => service.getContactPolicy(user))
export const updateContactPolicy = operation(UpdateContactPolicy, ({ user, body }) =>
  service.updateContactPolicy(user, body),
)
