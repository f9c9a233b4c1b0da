import { ReadContactPolicy, UpdateContactPolicy } from '#lib/contracts/leads/contact-policy'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/leads/contact-policy'

export const readContactPolicy = operation(ReadContactPolicy, ({ user }) => service.getContactPolicy(user))
export const updateContactPolicy = operation(UpdateContactPolicy, ({ user, body }) =>
  service.updateContactPolicy(user, body),
)
