type Mailbox = { address: string; aliases?: readonly string[]; send_as?: string | null }

/** A person has a handful; Google allows 99 besides the own one. */
export const MAX_ALIASES = 100

/** The address in From of what a mailbox sends by itself. */
export const sendingAddress = ({ address, send_as }: Mailbox): string => send_as ?? address

/** Every address whose mail comes to it, its own first. */
export const listAddresses = ({ address, aliases = [] }: Mailbox): string[] => [address, ...aliases]

/** Whether mail may leave it under this address: one that is not its own would be another's, or be replaced on the way. */
export const isOwnAddress = (mailbox: Mailbox, from: string): boolean =>
  listAddresses(mailbox).some((own) => own.toLowerCase() === from.toLowerCase())

/**
 * Whom an answer comes from: whom its person wrote to, first of all in To, where that is an address of the mailbox; else whoever
 * wrote to them last, and where both are gone the one that the mailbox sends as.
 */
export function answeringAddress(
  mailbox: Mailbox,
  { written_to, wrote_last }: { written_to: readonly string[]; wrote_last: string | null },
): string {
  const named = [...written_to, ...(wrote_last === null ? [] : [wrote_last])]
  return named.find((address) => isOwnAddress(mailbox, address))?.toLowerCase() ?? sendingAddress(mailbox)
}

/** What a provider or a person named, each once and without the mailbox’s own. */
export const readAliases = (address: string, named: readonly string[]): string[] =>
  [...new Set(named.map((one) => one.trim().toLowerCase()))]
    .filter((one) => one !== address.toLowerCase() && /^[^\s@]+@[^\s@]+$/.test(one) && one.length <= 320)
    .slice(0, MAX_ALIASES)

const HOUR_MS = 60 * 60_000

/** When a provider is asked again: soon where mail leaves under one of them, since one that is taken away is replaced silently. */
export function areAliasesDue(
  { read_at, send_as }: { read_at: Date | null; send_as: string | null },
  now: Date,
): boolean {
  const rest = send_as === null ? 24 * HOUR_MS : HOUR_MS
  return read_at === null || now.getTime() - read_at.getTime() >= rest
}

/** What its owner reads where the address that it sends as was taken away. */
export const lostAddress = (address: string): string =>
  `${address} is no longer one of this mailbox’s addresses, so nothing is sent. Choose another under “Send as”, or add it again.`
