'use server'

import { changePassword as change, removePassword as remove } from '#lib/operations/workspaces/account'
import * as sessions from '#lib/operations/workspaces/sessions'
import { action, formAction } from '../../../action.ts'

const anew = '/settings/security'

export const changePassword = formAction(change, (data) => ({ body: Object.fromEntries(data) }), {
  anew,
  said: 'The password is changed. Other browsers are signed out.',
})

export const removePassword = action(remove, () => ({}), {
  anew,
  said: 'The password is removed. Passkeys sign you in.',
})

export const revokeSession = action(
  sessions.revokeSession,
  (session_id: string) => ({ params: { session_id } }),
  {
    anew,
    said: 'That browser is signed out.',
  },
)

export const revokeOtherSessions = action(sessions.revokeOtherSessions, () => ({}), {
  anew,
  said: 'Every other browser is signed out.',
})
