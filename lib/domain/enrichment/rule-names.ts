/** What enrichment can derive from the row itself. A separate file, so that a form need not load the rules. */
export const ENRICHMENT_RULES = [
  'names',
  'company',
  'job_title',
  'domain',
  'timezone',
  'address_quality',
] as const
export type EnrichmentRule = (typeof ENRICHMENT_RULES)[number]

/** The columns that the rules fill besides the fields of a lead. They derive from other cells, so extraction does not read them. */
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
