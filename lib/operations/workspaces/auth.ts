import { ReadCurrentUser, VerifyCredential } from '#lib/contracts/workspaces/auth'
import { operation } from '#lib/operations/operation'
import { listMemberships } from '#lib/services/workspaces/memberships'

export const readCurrentUser = operation(ReadCurrentUser, async ({ user }) => ({
  ...user,
  scopes: [...user.scopes],
  workspaces: await listMemberships(user.user_id),
}))
export const verifyCredential = operation(VerifyCredential, async ({ user }) => ({
  ...user,
  scopes: [...user.scopes],
  workspaces: await listMemberships(user.user_id),
}))
