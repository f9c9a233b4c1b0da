import type { Notification } from '#lib/contracts/notifications'

/** Where one sees what a notification is about. */
export function hrefOf({ kind, campaign_id, mailbox_id }: Notification): string {
  if (kind === 'webhook_disabled') return '/webhooks'
  if (kind === 'account_disconnected') return '/accounts'
  if (kind === 'post_failed') return '/posts'
  if (mailbox_id) return `/mailboxes/${mailbox_id}`
  return campaign_id ? `/campaigns/${campaign_id}` : '/home'
}
