import { organizationalDomain } from '#lib/domain/domains/domain-name'
import { findMailProvider, MAIL_PROVIDERS, type MailProvider } from '#lib/domain/domains/mail-providers'
import type { RecipientProvider } from '#lib/domain/domains/recipient-provider'

/** The receiver of a mailbox's mail: the host names in its headers, and whether it leaves its name out. */
export type Receiver = { hosts: readonly string[]; is_nameless: boolean; provider: RecipientProvider }

/** Names that providers use in their headers, besides those of their servers. */
const ALSO: Partial<Record<RecipientProvider, readonly string[]>> = {
  google: ['google.com'],
  microsoft: ['outlook.com', 'office365.com', 'hotmail.com'],
  yahoo: ['yahoo.com'],
}
/** Exchange Online's server, which differs from the one on the provider's help page. */
const MICROSOFT_IMAP = 'outlook.office365.com'

/** From a mailbox's address and its IMAP server. */
export function findReceiver(address: string, imapHost: string | null): Receiver {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  const known = findMailProvider(address) ?? byImap(imapHost)
  const provider = known?.vendor ?? (known?.name === 'Yahoo' ? 'yahoo' : 'other')
  const own = [domain, ...(imapHost ? [imapHost.toLowerCase()] : [])]
  return {
    hosts: [...own, ...(known ? [...known.domains, ...known.mx] : []), ...(ALSO[provider] ?? [])],
    is_nameless: provider === 'microsoft',
    provider,
  }
}

function byImap(host: string | null): MailProvider | null {
  if (!host) return null
  const name = organizationalDomain(host.toLowerCase())
  return (
    MAIL_PROVIDERS.find(({ imap, vendor }) =>
      vendor === 'microsoft'
        ? host.toLowerCase() === MICROSOFT_IMAP
        : imap !== null && organizationalDomain(imap.host) === name,
    ) ?? null
  )
}
