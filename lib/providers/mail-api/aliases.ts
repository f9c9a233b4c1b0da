import type { WatchedMailbox } from '#lib/providers/mail-api/watching'

/** `passes`: another try may go well; otherwise its provider does not name them to this instance. */
export type NamedAliases = { ok: true; aliases: string[] } | { ok: false; passes: boolean; error: string }

/** Which addresses a mailbox has at its provider, as far as mail may leave under them. */
export type AliasReader = (mailbox: WatchedMailbox) => Promise<NamedAliases>

export const OTHER_FORM: NamedAliases = {
  ok: false,
  passes: true,
  error: 'The provider’s response did not match its documentation.',
}
