'use server'

import * as operations from '#lib/operations/messages/sender-profiles'
import { action, formAction } from '../../action.ts'
import { formJson, formText, formVersion } from '../../form-result.ts'

const readFields = (data: FormData) => ({
  profile_name: formText(data, 'profile_name'),
  description: formText(data, 'description') || null,
  is_default: data.get('is_default') === 'on',
  sender_data: formJson(data, 'sender_data'),
})

const anew = '/sender-profiles'

export const createProfile = formAction(
  operations.createSenderProfile,
  (data) => ({ body: readFields(data) }),
  { anew, to: '/sender-profiles' },
)

export const updateProfile = formAction(
  operations.updateSenderProfile,
  (data, id: string) => ({ params: { id }, body: { ...readFields(data), version: formVersion(data) } }),
  { anew, said: 'Profile saved.' },
)

export const deleteProfile = action(operations.deleteSenderProfile, (id: string) => ({ params: { id } }), {
  anew,
  said: 'Profile deleted.',
})
