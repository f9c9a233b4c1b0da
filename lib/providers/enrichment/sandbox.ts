import type { EnrichmentProvider } from '#lib/providers/enrichment/port'

/** Reserved for examples (RFC 2606, RFC 6761): nobody real is behind them. */
const RESERVED = /(^|[.@])(example\.(com|net|org)|[^.@]+\.(example|test|invalid))$/

/**
 * Stands in where no provider is connected. What it answers says of itself that it is made up, it answers for addresses
 * that nobody has and for no others, and it costs made-up money, so that budgets can be tried.
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
