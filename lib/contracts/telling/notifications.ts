import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import {
  dateTime,
  editedVersion,
  id,
  listEnvelope,
  paging,
  pathId,
  text,
  version,
} from '#lib/contracts/fields'
import { ANALYTICS_EMAILS } from '#lib/domain/analytics/email-period'

const NOTIFICATION_KINDS = [
  'assigned',
  'mentioned',
  'answer_stopped',
  'reply_intent',
  'reply',
  'bounce',
  'complaint',
  'campaign_paused',
  'launch_failed',
  'mailbox_failing',
  'mailbox_disconnected',
  'mailbox_unread',
  'provider_paused',
  'ramp_lowered',
  'account_failing',
  'account_disconnected',
  'post_failed',
  'webhook_disabled',
] as const

/** Always text in responses, so that clients need not handle null; services return null for none. */
const orEmpty = (description: string) =>
  z.preprocess((value) => value ?? '', z.string()).describe(description)
/** What was read may be sent back unchanged: an empty text counts as null. */
const blank = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? null : value), schema.nullable())

export const NotificationPreferences = z
  .object({
    email_enabled: z.boolean(),
    messaging_enabled: z.boolean(),
    notify_on_reply: z.boolean(),
    notify_on_bounce: z.boolean(),
    notify_on_complaint: z.boolean(),
    notify_on_assignment: z.boolean().describe('When a conversation is assigned to you.'),
    notify_on_mention: z.boolean().describe('When a note mentions you.'),
    analytics_email: z
      .enum(ANALYTICS_EMAILS)
      .describe(
        'When you get workspace analytics by email: every Monday or on the first of each month, at 08:00 in its time zone, for the previous week or month. Only while `email_enabled` is on and only if something was sent.',
      ),
    personal_email: orEmpty('Empty: the account’s address.'),
    messaging_number: orEmpty('A phone number in E.164, or a Telegram chat id. Empty: none.'),
    version: version(),
  })
  .meta({ id: 'NotificationPreferences' })
export type NotificationPreferences = z.output<typeof NotificationPreferences>

export const Notification = z
  .object({
    notification_id: id(),
    kind: z.enum(NOTIFICATION_KINDS),
    campaign_id: id().nullable(),
    campaign_lead_id: id().nullable(),
    mailbox_id: id().nullable(),
    thread_id: id().nullable().describe('The lead’s conversation, the newest if there are several.'),
    text: z.string().describe('What happened, in one sentence.'),
    read_at: dateTime().nullable(),
    created_at: dateTime(),
  })
  .meta({ id: 'Notification' })
export type Notification = z.output<typeof Notification>

export const NotificationMessage = z
  .object({
    notification_message_id: id(),
    channel: z.enum(['email', 'messaging']),
    kind: z.enum(['digest', 'test', 'analytics']),
    recipient: z.string(),
    subject: z.string(),
    text: z.string(),
    status: z
      .enum(['queued', 'sending', 'sent', 'failed', 'uncertain'])
      .describe('`uncertain`: it may have been sent, so it is not sent again.'),
    response: z.string().nullable(),
    sent_at: dateTime().nullable(),
    created_at: dateTime(),
  })
  .meta({ id: 'NotificationMessage' })
export type NotificationMessage = z.output<typeof NotificationMessage>

const common = { tag: 'Notifications', errors: 'flat' } as const

export const ReadNotificationPreferences = contract({
  id: 'readNotificationPreferences',
  method: 'GET',
  path: '/notifications/preferences',
  tag: 'Notifications',
  summary: 'Read notification preferences',
  description: 'Yours in this workspace. Each member has their own per workspace.',
  response: NotificationPreferences,
  status: 200,
  errors: 'legacy',
  scope: 'read',
})

export const UpdateNotificationPreferences = contract({
  ...common,
  id: 'updateNotificationPreferences',
  method: 'PATCH',
  path: '/notifications/preferences',
  summary: 'Change notification preferences',
  description:
    'Yours in this workspace. While `email_enabled` is on, you always get an email when a campaign or mailbox stops. Messages are grouped: one after a minute, then at most one in 15 minutes.',
  body: z
    .object({
      email_enabled: z.boolean(),
      messaging_enabled: z.boolean(),
      notify_on_reply: z.boolean(),
      notify_on_bounce: z.boolean(),
      notify_on_complaint: z.boolean(),
      notify_on_assignment: z.boolean(),
      notify_on_mention: z.boolean(),
      analytics_email: z.enum(ANALYTICS_EMAILS),
      personal_email: blank(z.email().max(320)),
      messaging_number: blank(text(1, 64)).describe(
        'A phone number with country code, stored as E.164, `+491701234567`. On an instance that sends to Telegram, a chat id.',
      ),
      version: editedVersion(),
    })
    .partial(),
  response: NotificationPreferences,
  status: 200,
  scope: 'write',
  refusals: [409],
})

export const ListNotifications = contract({
  ...common,
  id: 'listNotifications',
  method: 'GET',
  path: '/notifications',
  summary: 'List notifications',
  description:
    'Workspace events, plus your own: conversations assigned to you and notes that mention you. Newest first, kept for 90 days. With `unread=true`, `total` counts the unread ones.',
  query: z.object({ unread: z.enum(['true', 'false']).default('false'), ...paging }),
  response: listEnvelope(Notification),
  status: 200,
  scope: 'read',
})

export const MarkNotificationRead = contract({
  ...common,
  id: 'markNotificationRead',
  method: 'POST',
  path: '/notifications/{notification_id}/read',
  summary: 'Mark a notification as read',
  params: z.object({ notification_id: pathId() }),
  response: Notification,
  status: 200,
  scope: 'write',
  refusals: [404],
})

export const MarkAllNotificationsRead = contract({
  ...common,
  id: 'markAllNotificationsRead',
  method: 'POST',
  path: '/notifications/read',
  summary: 'Mark all notifications as read',
  response: z.object({ marked: z.int() }),
  status: 200,
  scope: 'write',
})

export const ListNotificationMessages = contract({
  ...common,
  id: 'listNotificationMessages',
  method: 'GET',
  path: '/notifications/messages',
  summary: 'List the messages sent to you',
  query: z.object(paging),
  response: listEnvelope(NotificationMessage),
  status: 200,
  scope: 'read',
})

export const SendTestNotification = contract({
  ...common,
  id: 'sendTestNotification',
  method: 'POST',
  path: '/notifications/test',
  summary: 'Send yourself a test message',
  description: 'Sends to every channel that is turned on. 409 if there is none.',
  response: z.object({ messages: z.array(NotificationMessage) }),
  status: 202,
  scope: 'write',
  refusals: [409],
})
