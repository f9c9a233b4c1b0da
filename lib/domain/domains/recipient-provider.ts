import { findProviderByMx } from '#lib/domain/domains/mail-providers'

/** Who receives mail for a recipient: the providers that judge senders for most of the world, or any other. */
export const RECIPIENT_PROVIDERS = ['google', 'microsoft', 'yahoo', 'other'] as const
export type RecipientProvider = (typeof RECIPIENT_PROVIDERS)[number]

/** Their display names. */
export const PROVIDER_NAMES: Readonly<Record<RecipientProvider, string>> = {
  google: 'Google',
  microsoft: 'Microsoft',
  yahoo: 'Yahoo',
  other: 'Other',
}

/** The display name within a sentence. */
export const providerInWords = (provider: RecipientProvider): string =>
  provider === 'other' ? 'other providers' : PROVIDER_NAMES[provider]

/** The provider of a domain, from its mail servers; without any it is `other`. */
export function providerByMx(records: readonly { priority: number; exchange: string }[]): RecipientProvider {
  const provider = findProviderByMx(records)
  return provider?.vendor ?? (provider?.name === 'Yahoo' ? 'yahoo' : 'other')
}

/** Their public domains, whose provider is known without a look-up. */
export const KNOWN_RECIPIENTS: Readonly<Record<Exclude<RecipientProvider, 'other'>, readonly string[]>> = {
  google: ['gmail.com', 'googlemail.com'],
  microsoft:
    `outlook.com outlook.de outlook.fr outlook.es outlook.it hotmail.com hotmail.co.uk hotmail.de hotmail.fr
    hotmail.es hotmail.it live.com live.de live.fr live.it live.nl live.co.uk msn.com`.split(/\s+/),
  yahoo:
    `yahoo.com yahoo.co.uk yahoo.de yahoo.fr yahoo.es yahoo.it yahoo.ca yahoo.co.in yahoo.com.br ymail.com
    rocketmail.com aol.com aol.de verizon.net`.split(/\s+/),
}

/** Names of RFC 2606 and RFC 6761: they receive no mail, so DNS is not queried. */
export const isReserved = (domain: string) =>
  /(?:^|\.)(?:example|test|invalid|localhost|local|internal)$|(?:^|\.)example\.(?:com|net|org)$/.test(domain)
