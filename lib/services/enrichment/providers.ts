import { firstRow } from '#lib/db/page'
import { env } from '#lib/env'
import { httpEnrichment } from '#lib/providers/enrichment/http'
import type { EnrichmentProvider } from '#lib/providers/enrichment/port'
import { sandboxEnrichment } from '#lib/providers/enrichment/sandbox'
import { getDataset } from '#lib/services/datasets/datasets'
import { hasSandbox } from '#lib/services/senders/sandbox'

/** Those that the environment names; beside a sandbox mail server the sandbox of this too. */
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

export async function listEnrichmentProviders(
  workspaceId: string,
  datasetId: string,
  { page, page_size }: { page: number; page_size: number },
) {
  await getDataset(workspaceId, datasetId)
  const all = enrichmentProviders()
  const items = all
    .slice(firstRow({ page, page_size }), page * page_size)
    .map(({ price_micros, ...provider }) => ({
      ...provider,
      fields: [...provider.fields],
      price: price_micros / 1_000_000,
    }))
  return { items, total: all.length, page, page_size }
}
