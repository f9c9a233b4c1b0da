'use server'

import { NotificationPreferences } from '#lib/contracts/telling/notifications'
import * as operations from '#lib/operations/telling/notifications'
import { action, formAction } from '../../../action.ts'
import { formText, formVersion } from '../../../form-result.ts'

const anew = '/settings/notifications'
const SWITCHES = [
  'email_enabled',
  'messaging_enabled',
  'notify_on_reply',
  'notify_on_bounce',
  'notify_on_complaint',
  'notify_on_assignment',
  'notify_on_mention',
] as const

const Rhythm = NotificationPreferences.shape.analytics_email.optional().catch(undefined)

export const savePreferences = formAction(
  operations.updateNotificationPreferences,
  (data) => ({
    body: {
      ...Object.fromEntries(SWITCHES.map((name) => [name, data.get(name) === 'on'])),
      analytics_email: Rhythm.parse(data.get('analytics_email')),
      personal_email: formText(data, 'personal_email') || null,
      messaging_number: formText(data, 'messaging_number') || null,
      version: formVersion(data),
    },
  }),
  { anew, said: 'Preferences saved.' },
)

export const sendTestMessage = action(operations.sendTestNotification, () => ({}), {
  anew,
  said: ({ messages }) => `On its way to ${messages.map(({ recipient }) => recipient).join(' and ')}.`,
})

export const markAllNotifications = action(operations.markAllNotificationsRead, () => ({}), { anew: '/' })
