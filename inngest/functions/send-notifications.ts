import { BELL_EVENTS } from '#lib/events/bells'
import { inngest } from '#lib/events/client'
import { answerBell } from '#lib/services/instance/bells'
import { noticeMailbox } from '#lib/services/senders/notice-mailbox'
import { notifyRound } from '#lib/services/telling/notification-round'

/** Tells owners what happened, gathered. Never tried again as a whole: each message knows its own state. */
export const sendNotifications = inngest.createFunction(
  {
    id: 'send-notifications',
    triggers: [BELL_EVENTS.notifications],
    concurrency: { limit: 2 },
    retries: 0,
    checkpointing: false,
  },
  () => answerBell('notifications', () => notifyRound(noticeMailbox)),
)
