import type { DatasetCellChange, DatasetSession } from '#lib/contracts/enrichment/dataset-sessions'

export const WORKS: Record<DatasetSession['work'], string> = {
  import: 'Import',
  enrichment: 'Enrichment',
  extraction: 'Extraction',
  email_finder: 'Finding addresses',
  verification: 'Verification',
  personalization: 'Personalization',
}

const REASONS: Record<string, string> = {
  already_filled: 'filled already',
  already_so: 'nothing to change',
  nothing_found: 'nothing found',
  no_text: 'no text to read',
  no_name: 'no name',
  only_one_word: 'the name is one word',
  only_initials: 'only initials are known',
  name_order_unknown: 'the order of the name is unclear',
  no_company: 'no company',
  no_title: 'no job title',
  title_says_nothing: 'not in the title',
  no_address: 'no address',
  free_mail: 'free email provider',
  no_place: 'no country, phone or domain of a country',
  country_unknown: 'the country is not known',
  several_zones: 'the country has several zones',
  in_campaign: 'used by a running campaign',
  address_taken: 'the address is in another row',
  no_domain: 'no domain',
  domain_takes_no_mail: 'the domain accepts no email',
  not_sure_enough: 'not sure enough',
  provider_knows_nothing: 'the provider has no result',
  provider_failed: 'the provider failed',
  look_up_broke_off: 'an interrupted look-up is not repeated, so that it is not paid for twice',
  budget_spent: 'the budget is spent',
  changed_since: 'changed since',
  row_removed: 'the row was removed',
  verified_valid: 'valid',
  verified_invalid: 'invalid',
  verified_risky: 'risky',
  verified_unknown: 'unknown',
}

/** A code in words; unknown codes stay readable. */
export const reasonText = (code: string): string => REASONS[code] ?? code.replaceAll('_', ' ')

/** The source of a cell, in one line. */
export function provenanceText({ source, certainty, old_value, rule }: DatasetCellChange): string {
  const from = rule.startsWith('provider_')
    ? `From ${rule.slice('provider_'.length)} (${source})`
    : rule.startsWith('email_finder')
      ? `Found from ${source}`
      : `Read from ${source}`
  const sure = certainty === 'certain' ? 'certain' : 'likely, not certain'
  return `${from}; ${sure}.${old_value === null ? '' : ` Before: ${old_value}`}`
}
