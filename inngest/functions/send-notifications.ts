import { cron } from 'inngest'
import { NotificationQueued } from '#lib/events/catalog'
import { inngest } from '#lib/events/client'
import { notifyRound } from '#lib/services/telling/notification-round'

/** Tells owners what happened, gathered. Never tried again as a whole: each message knows its own state. */
export const sendNotifications = inngest.createFunction(
  {
    id: 'send-notifications',
    triggers: [NotificationQueued, cron('* * * * *')],
    concurrency: { limit: 2 },
    retries: 0,
  },
  async ({ step }) => step.run('notify', () => notifyRound()),
)
