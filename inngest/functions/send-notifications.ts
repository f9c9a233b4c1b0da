import { onBell } from '#inngest/on-bell'
import { queueAnalyticsEmails } from '#lib/services/campaigns/reports/analytics-email'
import { doAll } from '#lib/services/instance/sweep'
import { confirmationRound } from '#lib/services/leads/forms/confirmation-round'
import { formMailbox, noticeMailbox } from '#lib/services/senders/notice-mailbox'
import { channels } from '#lib/services/telling/notification-channels'
import { notifyRound } from '#lib/services/telling/notification-round'

/** Each round runs even if another one's mail server does not respond. */
export const noticeRounds = () =>
  doAll([
    () => queueAnalyticsEmails(channels(), new Date()),
    () => notifyRound(noticeMailbox),
    () => confirmationRound(formMailbox),
  ])

/** Sends gathered notifications and the confirmation mails of forms. Not retried as a whole: each message keeps its own state. */
export const sendNotifications = onBell(
  'notifications',
  { id: 'send-notifications', limit: 2, retries: 0 },
  noticeRounds,
)
