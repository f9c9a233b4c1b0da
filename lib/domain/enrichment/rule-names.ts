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

/** The columns that the rules fill beside the fields of a lead. Made from other cells, so they are no text to read. */
export const ENRICHED_FIELDS = [
  'name_prefix',
  'name_suffix',
  'company_name',
  'company_legal_form',
  'seniority',
  'department',
  'domain',
  'email_quality',
  'email_repeated_in',
] as const
