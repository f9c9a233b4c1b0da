import type { EnrichmentProvider } from '#lib/providers/enrichment/port'

/** Domains reserved for examples (RFC 2606, RFC 6761), which belong to nobody. */
const RESERVED = /(^|[.@])(example\.(com|net|org)|[^.@]+\.(example|test|invalid))$/

/**
 * Used if no provider is connected. Its answers say that they are made up; it answers only for reserved addresses, and it
 * charges made-up money, so that budgets can be tried.
 */
export const sandboxEnrichment: EnrichmentProvider = {
  name: 'sandbox',
  description: 'Made-up answers for addresses at example domains, to try things out.',
  is_sandbox: true,
  fields: ['title', 'city'],
  price_micros: 10_000,
  async lookup({ email, domain, website }) {
    const known = [email, domain, website].some((text) => text && RESERVED.test(text.toLowerCase()))
    if (!known) return { outcome: 'nothing', cost_micros: 0 }
    return {
      outcome: 'found',
      fields: { title: 'Sandbox title (made up)', city: 'Sandbox city (made up)' },
      cost_micros: 10_000,
      source: 'sandbox: made up',
    }
  },
}
