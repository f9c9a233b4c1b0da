/** What enrichment can do by itself, from what stands in the row. Apart from the rules, so that a form needs none of them. */
export const ENRICHMENT_RULES = [
  'names',
  'company',
  'job_title',
  'domain',
  'timezone',
  'address_quality',
] as const
export type EnrichmentRule = (typeof ENRICHMENT_RULES)[number]
