import type { z } from 'zod'
import { EnrichmentOptions, ExtractionOptions } from '#lib/contracts/enrichment/dataset-sessions'
import { FinderOptions } from '#lib/contracts/enrichment/email-finder'
import { VerificationOptions } from '#lib/contracts/enrichment/verification'
import type { DatasetSessionModel } from '#lib/db/generated/models'
import { enrichRow } from '#lib/domain/enrichment/enrich'
import { extractFromRow } from '#lib/domain/enrichment/extract'
import { type BatchRow, repetitions } from '#lib/services/enrichment/batch'
import { finderPipeline } from '#lib/services/enrichment/find-emails'
import type { Pipeline, Tools } from '#lib/services/enrichment/pipeline'
import { verificationPipeline } from '#lib/services/enrichment/verify-addresses'
import { askProviders } from '#lib/services/enrichment/waterfall'

const ROWS = 500
const ROWS_WITH_LOOKUPS = 20

export function createPipeline(session: DatasetSessionModel, tools: Tools): Pipeline {
  if (session.work === 'email_finder')
    return finderPipeline(session, FinderOptions.parse(session.options), tools.finder)
  if (session.work === 'verification')
    return verificationPipeline(session, VerificationOptions.parse(session.options), tools)
  if (session.work === 'extraction') return extraction(ExtractionOptions.parse(session.options))
  return enrichment(session, EnrichmentOptions.parse(session.options), tools)
}

const extraction = (options: z.output<typeof ExtractionOptions>): Pipeline => ({
  batch: ROWS,
  overwrite: options.overwrite,
  find: async (_, rows) =>
    new Map(rows.map(({ lead_index, data }) => [lead_index, extractFromRow(data, options)])),
})

function enrichment(
  session: DatasetSessionModel,
  options: z.output<typeof EnrichmentOptions>,
  tools: Tools,
): Pipeline {
  const providers = options.providers.flatMap(
    (name) => tools.providers.find((one) => one.name === name) ?? [],
  )
  const withAddress = ({ data, email }: BatchRow) =>
    email === null || data.email ? data : { ...data, email }
  const toRules = (row: BatchRow, repeated_in: string | null) =>
    enrichRow(withAddress(row), options.rules, { repeated_in })
  return {
    batch: providers.length > 0 ? ROWS_WITH_LOOKUPS : ROWS,
    overwrite: options.overwrite,
    ...(providers.length > 0 && {
      gather: (rows) =>
        askProviders({ session, providers, max_cost: options.max_cost }, rows, (row) => toRules(row, null)),
    }),
    find: async (client, rows, gathered) => {
      const places = options.rules.includes('address_quality')
        ? await repetitions(client, session, rows)
        : new Map()
      return new Map(
        rows.map((row) => {
          const own = toRules(row, places.get(row.lead_index) ?? null)
          const outside = gathered.get(row.lead_index)
          return [
            row.lead_index,
            {
              // Values from the row itself take precedence over those of paid providers.
              proposals: [...own.proposals, ...(outside?.proposals ?? [])],
              skips: [...(outside?.skips ?? []), ...own.skips],
            },
          ]
        }),
      )
    },
  }
}
