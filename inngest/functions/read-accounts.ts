import { onBell } from '#inngest/on-bell'
import { readDueAccounts } from '#lib/services/inbox/social-events'

/** Reads chats, account states and invitations of the accounts that are due, in one run at a time. */
export const readAccounts = onBell('accounts', { id: 'read-accounts', limit: 1, retries: 0 }, readDueAccounts)
