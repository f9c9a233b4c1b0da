import { InboundArrived } from '#lib/events/catalog'
import { inngest } from '#lib/events/client'
import { pollMailboxes } from '#lib/services/inbox/mailboxes/round'

/** Reads one mailbox at once when new mail is known to be there, such as from the sandbox. */
export const handleInbound = inngest.createFunction(
  {
    id: 'handle-inbound',
    triggers: [InboundArrived],
    concurrency: { key: 'event.data.mailbox_id', limit: 1 },
    retries: 2,
  },
  async ({ event, step }) => step.run('read', () => pollMailboxes([event.data.mailbox_id])),
)
