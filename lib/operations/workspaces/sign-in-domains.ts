import {
  CreateSignInDomain,
  DeleteSignInDomain,
  ListSignInDomains,
  UpdateSignInDomain,
  VerifySignInDomain,
} from '#lib/contracts/workspaces/sign-in-domains'
import { operation } from '#lib/operations/operation'
import { dnsProvider } from '#lib/services/senders/discovery/dns-provider'
import * as service from '#lib/services/workspaces/joining/sign-in-domains'

export const listSignInDomains = operation(ListSignInDomains, ({ user, params, query }) =>
  service.listSignInDomains(user, params.workspace_id, query),
)
export const createSignInDomain = operation(CreateSignInDomain, ({ user, params, body, now }) =>
  service.createSignInDomain(user, params.workspace_id, body, now),
)
export const updateSignInDomain = operation(UpdateSignInDomain, ({ user, params, body }) =>
  service.updateSignInDomain(user, params, body),
)
export const verifySignInDomain = operation(VerifySignInDomain, ({ user, params, now }) =>
  service.verifySignInDomain(user, params, now, dnsProvider()),
)
export const deleteSignInDomain = operation(DeleteSignInDomain, ({ user, params }) =>
  service.deleteSignInDomain(user, params),
)
