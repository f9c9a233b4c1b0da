/**
 * What a mail server said to one address. `refused`: it has no such mailbox. `deferred`: it put the answer off. `failed`:
 * there was no answer about the address, for whatever it said was about us or nothing at all.
 */
export type ProbeAnswer = { answer: 'accepted' | 'refused' | 'deferred' | 'failed'; response: string }

/** Asks a mail server whether it would take mail for addresses, and sends none. Never throws for what a server does. */
export interface MailProbe {
  /** One connection for all of them; the answers are in the order of the addresses. */
  ask(mxHost: string, addresses: readonly string[]): Promise<ProbeAnswer[]>
}
