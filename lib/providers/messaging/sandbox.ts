import type { MessagingProvider } from '#lib/providers/messaging/port'

/** Sends nothing: the message stays in the ledger, where its owner reads it. */
export const sandboxMessaging: MessagingProvider = {
  send: async () => ({ outcome: 'accepted', response: 'Sandbox: kept here, sent to nobody.' }),
}
