'use server'

import { changePassword as change } from '#lib/operations/workspaces/account'
import { revokeSession as revoke } from '#lib/operations/workspaces/sessions'
import { action, formAction } from '../../../action.ts'

const anew = '/settings/security'

export const changePassword = formAction(change, (data) => ({ body: Object.fromEntries(data) }), {
  anew,
  said: 'The password is changed. Other browsers are signed out.',
})

export const revokeSession = action(revoke, (session_id: string) => ({ params: { session_id } }), {
  anew,
  said: 'That browser is signed out.',
})
