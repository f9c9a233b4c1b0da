import { findProviderByMx } from '#lib/domain/domains/mail-providers'

/** Who takes mail for a recipient: those that judge senders for most of the world, and everybody else. */
export const RECIPIENT_PROVIDERS = ['google', 'microsoft', 'yahoo', 'other'] as const
export type RecipientProvider = (typeof RECIPIENT_PROVIDERS)[number]

/** As people call them. */
export const PROVIDER_NAMES: Readonly<Record<RecipientProvider, string>> = {
  google: 'Google',
  microsoft: 'Microsoft',
  yahoo: 'Yahoo',
  other: 'Other',
}

/** The same within a sentence. */
export const providerInWords = (provider: RecipientProvider): string =>
  provider === 'other' ? 'other providers' : PROVIDER_NAMES[provider]

/** Of the mail servers of a domain; none at all is nobody's in particular. */
export function providerByMx(records: readonly { priority: number; exchange: string }[]): RecipientProvider {
  const provider = findProviderByMx(records)
  return provider?.vendor ?? (provider?.name === 'Yahoo' ? 'yahoo' : 'other')
}

/** Addresses of theirs for everybody: their domains are no company's, so nobody need be asked. */
export const KNOWN_RECIPIENTS: Readonly<Record<Exclude<RecipientProvider, 'other'>, readonly string[]>> = {
  google: ['gmail.com', 'googlemail.com'],
  microsoft:
    `outlook.com outlook.de outlook.fr outlook.es outlook.it hotmail.com hotmail.co.uk hotmail.de hotmail.fr
    hotmail.es hotmail.it live.com live.de live.fr live.it live.nl live.co.uk msn.com`.split(/\s+/),
  yahoo:
    `yahoo.com yahoo.co.uk yahoo.de yahoo.fr yahoo.es yahoo.it yahoo.ca yahoo.co.in yahoo.com.br ymail.com
    rocketmail.com aol.com aol.de verizon.net`.split(/\s+/),
}

/** Names of RFC 2606 and RFC 6761: nobody takes mail there, so DNS is not asked. */
export const isReserved = (domain: string) =>
  /(?:^|\.)(?:example|test|invalid|localhost|local|internal)$|(?:^|\.)example\.(?:com|net|org)$/.test(domain)
