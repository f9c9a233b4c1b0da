import { findMailHost } from '#lib/domain/domains/mail-hosts'
import type { RecipientProvider } from '#lib/domain/domains/recipient-provider'

/** Those of the recipients' providers with whom mailboxes are too. */
export type MatchedProvider = Extract<RecipientProvider, 'google' | 'microsoft'>

/** With whom the mail of a mailbox leaves: who granted access to it, else by its SMTP server. Its address may be anybody's. */
export function sendingProvider(vendor: string | null, smtpHost: string): MatchedProvider | null {
  if (vendor === 'google' || vendor === 'microsoft') return vendor
  return findMailHost(smtpHost)?.provider ?? null
}

/** Of a campaign that matches providers: with whom its senders are, and who takes mail for its leads. */
export interface ProviderMatching {
  readonly senders: ReadonlyMap<string, MatchedProvider>
  /** By lead_index; whose provider is not known has none. */
  readonly leads: ReadonlyMap<number, RecipientProvider>
}

/** The senders that some leads go to first. Empty where all of them are alike, so that nobody need be asked about. */
export function matchedSenders(
  senders: readonly { sender_id: string; provider: MatchedProvider | null }[],
): ProviderMatching['senders'] {
  const kinds = new Set(senders.map(({ provider }) => provider))
  return kinds.size < 2
    ? new Map()
    : new Map(
        senders.flatMap(({ sender_id, provider }) => (provider ? [[sender_id, provider] as const] : [])),
      )
}

/** Whether a sender is with the very provider that takes mail for a lead. */
export function isMatch(matching: ProviderMatching | null, sender_id: string, lead_index: number): boolean {
  const provider = matching?.senders.get(sender_id)
  return provider !== undefined && matching?.leads.get(lead_index) === provider
}
