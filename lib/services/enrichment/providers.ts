import { firstRow } from '#lib/db/page'
import { env } from '#lib/env'
import { httpEnrichment } from '#lib/providers/enrichment/http'
import type { EnrichmentProvider } from '#lib/providers/enrichment/port'
import { sandboxEnrichment } from '#lib/providers/enrichment/sandbox'
import { neverBounce } from '#lib/providers/verification/neverbounce'
import { sandboxVerifier } from '#lib/providers/verification/sandbox'
import type { Verifier } from '#lib/providers/verification/service'
import { zeroBounce } from '#lib/providers/verification/zerobounce'
import { getDataset } from '#lib/services/datasets/datasets'
import { hasSandbox } from '#lib/services/senders/sandbox'

/** The providers configured in the environment; with a sandbox mail server also the sandbox provider. */
export function enrichmentProviders(): EnrichmentProvider[] {
  const {
    ENRICHMENT_URL: url,
    ENRICHMENT_TOKEN: token,
    ENRICHMENT_NAME: name,
    ENRICHMENT_FIELDS,
    ENRICHMENT_PRICE,
    ALLOW_PRIVATE_HOSTS: allow_private_hosts,
  } = env()
  const real = url
    ? httpEnrichment({
        url,
        token,
        name,
        fields: ENRICHMENT_FIELDS.split(','),
        price_micros: Math.ceil(ENRICHMENT_PRICE * 1_000_000),
        policy: { allow_private_hosts },
      })
    : null
  return [...(real ? [real] : []), ...(hasSandbox() ? [sandboxEnrichment] : [])]
}

/** The services that verify addresses, in the default order of use. */
export function verifiers(): Verifier[] {
  const {
    NEVERBOUNCE_API_KEY,
    NEVERBOUNCE_PRICE,
    ZEROBOUNCE_API_KEY,
    ZEROBOUNCE_PRICE,
    ALLOW_PRIVATE_HOSTS: allow_private_hosts,
  } = env()
  const options = (api_key: string, price: number) => ({
    api_key,
    price_micros: Math.ceil(price * 1_000_000),
    policy: { allow_private_hosts },
  })
  return [
    ...(NEVERBOUNCE_API_KEY ? [neverBounce(options(NEVERBOUNCE_API_KEY, NEVERBOUNCE_PRICE))] : []),
    ...(ZEROBOUNCE_API_KEY ? [zeroBounce(options(ZEROBOUNCE_API_KEY, ZEROBOUNCE_PRICE))] : []),
    ...(hasSandbox() ? [sandboxVerifier] : []),
  ]
}

export const providerView = ({ price_micros, ...provider }: EnrichmentProvider) => ({
  ...provider,
  fields: [...provider.fields],
  price: price_micros / 1_000_000,
})

export async function listEnrichmentProviders(
  workspaceId: string,
  datasetId: string,
  { page, page_size }: { page: number; page_size: number },
) {
  await getDataset(workspaceId, datasetId)
  const all = enrichmentProviders()
  const items = all.slice(firstRow({ page, page_size }), page * page_size).map(providerView)
  return { items, total: all.length, page, page_size }
}
