import { LEAD_FIELDS } from '#lib/domain/datasets/lead-fields'
import { OTHER_EMAILS_FIELD } from '#lib/domain/datasets/plan'
import { countryCode } from '#lib/domain/enrichment/country'
import type { ExtractionKind } from '#lib/domain/enrichment/kinds'
import { splitFullName } from '#lib/domain/enrichment/person-name'
import type { Certainty, Findings, LeadData, Proposal } from '#lib/domain/enrichment/proposal'
import { ENRICHED_FIELDS } from '#lib/domain/enrichment/rule-names'
import { addressesInText } from '#lib/domain/enrichment/text-addresses'
import { linksInText } from '#lib/domain/enrichment/text-links'
import { nameInText } from '#lib/domain/enrichment/text-names'
import { phonesInText } from '#lib/domain/enrichment/text-phones'

type Options = { kinds: readonly ExtractionKind[]; columns: readonly string[] | null }

const OWN: ReadonlySet<string> = new Set([
  ...LEAD_FIELDS,
  ...ENRICHED_FIELDS,
  OTHER_EMAILS_FIELD,
  'twitter_url',
])

/** The cells to read: the named columns, or every cell that is not a lead field. */
export function cellsToRead(row: LeadData, columns: Options['columns']): [string, string][] {
  return Object.entries(row).filter(
    ([field, text]) => text.trim() !== '' && (columns ? columns.includes(field) : !OWN.has(field)),
  )
}

/** Addresses, phone numbers, links and names in the free text of a row; each proposal names the cell it was read from. */
export function extractFromRow(row: LeadData, { kinds, columns }: Options): Findings {
  const cells = cellsToRead(row, columns)
  const proposals = cells.flatMap(([source, text]) => {
    const propose = (
      field: string,
      value: string,
      rule: string,
      certainty: Certainty = 'certain',
    ): Proposal => ({
      field,
      value,
      rule,
      source,
      certainty,
    })
    return [
      ...(kinds.includes('emails') ? emails(text, propose) : []),
      ...(kinds.includes('phones') ? phones(text, row, propose) : []),
      ...(kinds.includes('links') ? links(text, propose) : []),
      ...(kinds.includes('names') ? names(text, propose) : []),
    ]
  })
  const wanted = kinds.map((kind) => MAIN_FIELD[kind])
  const empty = wanted.filter((field) => !proposals.some((one) => one.field === field))
  const reason = cells.length === 0 ? 'no_text' : 'nothing_found'
  return { proposals: withOthers(row, proposals), skips: empty.map((field) => ({ field, reason })) }
}

const MAIN_FIELD: Record<ExtractionKind, string> = {
  emails: 'email',
  phones: 'phone',
  links: 'linkedin_url',
  names: 'full_name',
}

type Propose = (field: string, value: string, rule: string, certainty?: Certainty) => Proposal

const emails = (text: string, propose: Propose) =>
  addressesInText(text).map(({ email, is_spelled_out }) =>
    is_spelled_out
      ? propose('email', email, 'email_spelled_out', 'likely')
      : propose('email', email, 'email_in_text'),
  )

function phones(text: string, row: LeadData, propose: Propose) {
  const country = row.country ? countryCode(row.country) : null
  return phonesInText(text, country).map((phone) => propose('phone', phone, 'phone_in_text'))
}

const links = (text: string, propose: Propose) =>
  Object.entries(linksInText(text)).flatMap(([field, url]) =>
    url ? [propose(field, url, 'link_in_text')] : [],
  )

function names(text: string, propose: Propose) {
  const name = nameInText(text)
  const split = name && splitFullName(name.full_name)
  if (!name || split?.kind !== 'split') return []
  const rule = `name_by_${name.evidence}`
  return [
    propose('full_name', name.full_name, rule, 'likely'),
    propose('first_name', split.first_name, rule, 'likely'),
    propose('last_name', split.last_name, rule, 'likely'),
  ]
}

/** Further addresses are kept beside the first one, as in imports. */
function withOthers(row: LeadData, proposals: Proposal[]): Proposal[] {
  const addresses = proposals.filter((one) => one.field === 'email')
  const main = row.email?.trim() || addresses[0]?.value
  const others = addresses.filter((one) => one.value !== main)
  const [first] = others
  if (!first) return proposals
  const value = [...new Set(others.map((one) => one.value))].join(', ')
  return [...proposals, { ...first, field: OTHER_EMAILS_FIELD, value }]
}
