import { findMailHost } from '#lib/domain/domains/mail-hosts'
import type { RecipientProvider } from '#lib/domain/domains/recipient-provider'

/** The recipient providers that also host senders' mailboxes. */
export type MatchedProvider = Extract<RecipientProvider, 'google' | 'microsoft'>

/**
 * Who hosts a mailbox: the vendor that granted access, else derived from the SMTP server. The address says
 * nothing, since its domain may be hosted anywhere.
 */
export function sendingProvider(vendor: string | null, smtpHost: string): MatchedProvider | null {
  if (vendor === 'google' || vendor === 'microsoft') return vendor
  return findMailHost(smtpHost)?.provider ?? null
}

/** For a campaign that matches providers: who hosts its senders, and who receives mail for its leads. */
export interface ProviderMatching {
  readonly senders: ReadonlyMap<string, MatchedProvider>
  /** By lead_index; leads whose provider is unknown are absent. */
  readonly leads: ReadonlyMap<number, RecipientProvider>
}

/**
 * Senders that leads of the same provider prefer. Empty if all senders have the same provider, because then
 * no lead needs checking.
 */
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

/** Whether the provider that hosts the sender also receives mail for the lead. */
export function isMatch(matching: ProviderMatching | null, sender_id: string, lead_index: number): boolean {
  const provider = matching?.senders.get(sender_id)
  return provider !== undefined && matching?.leads.get(lead_index) === provider
}
