'use server'

import type { FormResult } from '#components/ui/controls/action-form'
import { startLinking } from '#lib/http/sign-in/linking'
import { changePassword as change, removePassword as remove } from '#lib/operations/workspaces/account'
import { disconnectIdentity as disconnect } from '#lib/operations/workspaces/identities'
import * as sessions from '#lib/operations/workspaces/sessions'
import { action, formAction } from '../../../action.ts'
import { formResult } from '../../../form-result.ts'

const anew = '/settings/security'

export const changePassword = formAction(change, (data) => ({ body: Object.fromEntries(data) }), {
  anew,
  said: 'Password changed. Other browsers are signed out.',
})

export const removePassword = action(remove, () => ({}), {
  anew,
  said: 'Password removed. You now sign in with passkeys.',
})

export const revokeSession = action(
  sessions.revokeSession,
  (session_id: string) => ({ params: { session_id } }),
  {
    anew,
    said: 'Browser signed out.',
  },
)

export const revokeOtherSessions = action(sessions.revokeOtherSessions, () => ({}), {
  anew,
  said: 'All other browsers are signed out.',
})

export const disconnectIdentity = action(disconnect, (identity_id: string) => ({ params: { identity_id } }), {
  anew,
  said: 'It is disconnected.',
})

/** Starts the sign-in at the provider; the resulting identity is connected to this account. */
export async function connectIdentity(provider: string): Promise<FormResult> {
  return formResult(async () => {
    await startLinking(provider)
    return undefined
  })
}
