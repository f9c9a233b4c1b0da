'use server'

import { revalidatePath } from 'next/cache'
import type { FormResult } from '#components/ui/controls/action-form'
import { UpdateNotificationPreferences } from '#lib/contracts/telling/notifications'
import { requireUser } from '#lib/http/session'
import { updatePreferences } from '#lib/services/telling/notification-preferences'
import { sendTest } from '#lib/services/telling/notification-queue'
import { markAllRead } from '#lib/services/telling/notifications'
import { formResult, textOf, versionOf } from '../../../form-result.ts'
import { noted } from '../../../noted.ts'

const PATH = '/settings/notifications'
const SWITCHES = [
  'email_enabled',
  'messaging_enabled',
  'notify_on_reply',
  'notify_on_bounce',
  'notify_on_complaint',
] as const

export async function savePreferences(_: FormResult | null, data: FormData): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const body = UpdateNotificationPreferences.body.parse({
      ...Object.fromEntries(SWITCHES.map((name) => [name, data.get(name) === 'on'])),
      personal_email: textOf(data, 'personal_email') || null,
      messaging_number: textOf(data, 'messaging_number') || null,
      version: versionOf(data),
    })
    await updatePreferences(user.user_id, body)
    await noted(user, UpdateNotificationPreferences)
    revalidatePath(PATH)
    return 'Your preferences are saved.'
  })
}

export async function sendTestMessage(): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { messages } = await sendTest(user.user_id, new Date())
    revalidatePath(PATH)
    return `On its way to ${messages.map(({ recipient }) => recipient).join(' and ')}.`
  })
}

export async function markAllNotifications(): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    await markAllRead(user.user_id, new Date())
    revalidatePath('/', 'layout')
    return undefined
  })
}
