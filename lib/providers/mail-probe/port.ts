/**
 * A mail server's answer about one address. `refused`: there is no such mailbox. `deferred`: the server postponed the answer.
 * `failed`: there was no answer about the address; the server's words were about us, or there were none.
 */
export type ProbeAnswer = { answer: 'accepted' | 'refused' | 'deferred' | 'failed'; response: string }

/** Asks a mail server whether it would accept mail for addresses, without sending any. Never throws for failures of the server. */
export interface MailProbe {
  /** Uses one connection for all addresses; the answers are in their order. */
  ask(mxHost: string, addresses: readonly string[]): Promise<ProbeAnswer[]>
}
