'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import type { FormResult } from '#components/ui/controls/action-form'
import {
  CreateSenderProfile,
  DeleteSenderProfile,
  UpdateSenderProfile,
} from '#lib/contracts/messages/sender-profiles'
import { requireUser } from '#lib/http/session'
import * as service from '#lib/services/messages/sender-profiles'
import { formResult, jsonOf, textOf, versionOf } from '../../form-result.ts'
import { noted } from '../../noted.ts'

const fieldsOf = (data: FormData) => ({
  profile_name: textOf(data, 'profile_name'),
  description: textOf(data, 'description') || null,
  is_default: data.get('is_default') === 'on',
  sender_data: jsonOf(data, 'sender_data'),
})

export async function createProfile(_: FormResult | null, data: FormData): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { id } = await service.createSenderProfile(
      user.user_id,
      CreateSenderProfile.body.parse(fieldsOf(data)),
    )
    await noted(user, CreateSenderProfile, { id })
    revalidatePath('/sender-profiles')
    redirect('/sender-profiles')
  })
}

export async function updateProfile(
  profileId: string,
  _: FormResult | null,
  data: FormData,
): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { id } = UpdateSenderProfile.params.parse({ id: profileId })
    const body = UpdateSenderProfile.body.parse({ ...fieldsOf(data), version: versionOf(data) })
    await service.updateSenderProfile(user.user_id, id, body)
    await noted(user, UpdateSenderProfile, { id })
    revalidatePath('/sender-profiles', 'layout')
    return 'The profile is saved.'
  })
}

export async function deleteProfile(profileId: string): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { id } = DeleteSenderProfile.params.parse({ id: profileId })
    await service.deleteSenderProfile(user.user_id, id)
    await noted(user, DeleteSenderProfile, { id })
    revalidatePath('/sender-profiles')
    return 'The profile is deleted.'
  })
}
