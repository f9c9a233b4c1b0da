import type { Notification } from '#lib/contracts/telling/notifications'

/** Includes the conversation it is about, if any. */
export type ShownNotification = Notification & { thread_id: string | null }

const OF_MAILBOXES = [
  'mailbox_failing',
  'mailbox_disconnected',
  'mailbox_unread',
  'provider_paused',
  'ramp_lowered',
]

/** The page for a notification: a reply's conversation, otherwise the page where the problem is fixed. */
export function notificationHref(notification: ShownNotification): string {
  const { kind, campaign_id, campaign_lead_id, mailbox_id, thread_id } = notification
  if (kind === 'webhook_disabled') return '/webhooks'
  if (kind === 'account_disconnected' || kind === 'account_failing') return '/accounts'
  if (kind === 'post_failed') return '/posts?status=failed'
  if (['reply', 'assigned', 'mentioned', 'reply_intent', 'answer_stopped'].includes(kind) && thread_id)
    return `/inbox/${thread_id}?folder=all`
  if (mailbox_id && OF_MAILBOXES.includes(kind)) return `/mailboxes/${mailbox_id}`
  if (campaign_id && campaign_lead_id) return `/campaigns/${campaign_id}/leads?lead=${campaign_lead_id}`
  return campaign_id ? `/campaigns/${campaign_id}` : '/home'
}
