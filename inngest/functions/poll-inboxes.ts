import { onBell } from '#inngest/on-bell'
import { pollRound } from '#lib/services/inbox/mailboxes/round'

/** Reads the incoming mail of the mailboxes that are due: one run at a time, several mailboxes at once. */
export const pollInboxes = onBell('inbox', { id: 'poll-inboxes', limit: 1, retries: 0 }, pollRound)
