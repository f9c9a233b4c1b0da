'use server'

import * as operations from '#lib/operations/messages/sender-profiles'
import { action, formAction } from '../../action.ts'
import { jsonOf, textOf, versionOf } from '../../form-result.ts'

const fieldsOf = (data: FormData) => ({
  profile_name: textOf(data, 'profile_name'),
  description: textOf(data, 'description') || null,
  is_default: data.get('is_default') === 'on',
  sender_data: jsonOf(data, 'sender_data'),
})

const anew = '/sender-profiles'

export const createProfile = formAction(
  operations.createSenderProfile,
  (data) => ({ body: fieldsOf(data) }),
  { anew, to: '/sender-profiles' },
)

export const updateProfile = formAction(
  operations.updateSenderProfile,
  (data, id: string) => ({ params: { id }, body: { ...fieldsOf(data), version: versionOf(data) } }),
  { anew, said: 'The profile is saved.' },
)

export const deleteProfile = action(operations.deleteSenderProfile, (id: string) => ({ params: { id } }), {
  anew,
  said: 'The profile is deleted.',
})
