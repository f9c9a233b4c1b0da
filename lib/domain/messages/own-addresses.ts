type Mailbox = { address: string; aliases?: readonly string[]; send_as?: string | null }

/** People have a handful; Google allows 99 besides the main one. */
export const MAX_ALIASES = 100

/** The From address of the mail that a mailbox sends. */
export const sendingAddress = ({ address, send_as }: Mailbox): string => send_as ?? address

/** Every address whose mail arrives in the mailbox, the main one first. */
export const listAddresses = ({ address, aliases = [] }: Mailbox): string[] => [address, ...aliases]

/**
 * Whether mail may be sent under this address. One that is not the mailbox's own would belong to somebody else, or be replaced
 * on the way.
 */
export const isOwnAddress = (mailbox: Mailbox, from: string): boolean =>
  listAddresses(mailbox).some((own) => own.toLowerCase() === from.toLowerCase())

/**
 * The From address of an answer: the address the person wrote to, preferably in To, if the mailbox still has it; otherwise the
 * one that last wrote to them; if it has neither any more, the one that the mailbox sends as.
 */
export function answeringAddress(
  mailbox: Mailbox,
  { written_to, wrote_last }: { written_to: readonly string[]; wrote_last: string | null },
): string {
  const named = [...written_to, ...(wrote_last === null ? [] : [wrote_last])]
  return named.find((address) => isOwnAddress(mailbox, address))?.toLowerCase() ?? sendingAddress(mailbox)
}

/** The addresses that a provider or a person entered, each once, without the mailbox’s own. */
export const readAliases = (address: string, named: readonly string[]): string[] =>
  [...new Set(named.map((one) => one.trim().toLowerCase()))]
    .filter((one) => one !== address.toLowerCase() && /^[^\s@]+@[^\s@]+$/.test(one) && one.length <= 320)
    .slice(0, MAX_ALIASES)

const HOUR_MS = 60 * 60_000

/** When a provider is asked again: sooner if mail is sent under an alias, since an alias that was removed is replaced silently. */
export function areAliasesDue(
  { read_at, send_as }: { read_at: Date | null; send_as: string | null },
  now: Date,
): boolean {
  const rest = send_as === null ? 24 * HOUR_MS : HOUR_MS
  return read_at === null || now.getTime() - read_at.getTime() >= rest
}

/** The notice to the owner that the alias used for sending was removed. */
export const lostAddress = (address: string): string =>
  `${address} is no longer one of this mailbox’s addresses, so nothing is sent. Choose another under “Send as”, or add it again.`
