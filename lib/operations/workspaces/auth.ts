import { ReadCurrentUser, VerifyCredential } from '#lib/contracts/workspaces/auth'
import { operation } from '#lib/operations/operation'

export const readCurrentUser = operation(ReadCurrentUser, async ({ user }) => ({
  ...user,
  scopes: [...user.scopes],
}))
export const verifyCredential = operation(VerifyCredential, async ({ user }) => ({
  ...user,
  scopes: [...user.scopes],
}))
