import type { WatchedMailbox } from '#lib/providers/mail-api/watching'

/** `passes`: another attempt may succeed; otherwise the provider does not reveal aliases to this instance. */
export type NamedAliases = { ok: true; aliases: string[] } | { ok: false; passes: boolean; error: string }

/** Reads the addresses of a mailbox at its provider from which it may send. */
export type AliasReader = (mailbox: WatchedMailbox) => Promise<NamedAliases>

export const OTHER_FORM: NamedAliases = {
  ok: false,
  passes: true,
  error: 'The provider’s response did not match its documentation.',
}
