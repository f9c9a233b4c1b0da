import { addressFaults } from '#lib/domain/enrichment/address-quality'
import { readCompany } from '#lib/domain/enrichment/company-name'
import { readJobTitle } from '#lib/domain/enrichment/job-title'
import { repairNameCase } from '#lib/domain/enrichment/letter-case'
import { isOnlyInitials, splitFullName } from '#lib/domain/enrichment/person-name'
import type { Certainty, Findings, LeadData, Proposal, Skip } from '#lib/domain/enrichment/proposal'
import type { EnrichmentRule } from '#lib/domain/enrichment/rule-names'
import { findDomain } from '#lib/domain/enrichment/web-domain'
import { weighZone } from '#lib/domain/enrichment/zone-evidence'

/** Facts besides the row itself: where else its address occurs. Null: nowhere. */
export type Surroundings = { repeated_in: string | null }

type Rule = (row: LeadData, around: Surroundings) => Findings

const cell = (row: LeadData, field: string) => (Object.hasOwn(row, field) ? (row[field] ?? '').trim() : '')

function collector(rule: string) {
  const proposals: Proposal[] = []
  const skips: Skip[] = []
  return {
    findings: { proposals, skips },
    /** `certainty` is `certain` by default. */
    propose: (
      field: string,
      value: string,
      source: string,
      more: { certainty?: Certainty; fixes?: true } = {},
    ) => {
      if (value !== '') proposals.push({ field, value, rule, source, certainty: 'certain', ...more })
    },
    skip: (field: string, reason: string) => void skips.push({ field, reason }),
  }
}

const names: Rule = (row) => {
  const { findings, propose, skip } = collector('names')
  const full = cell(row, 'full_name')
  if (full !== '') {
    const read = splitFullName(full)
    if (read.kind === 'unsure') {
      for (const field of ['first_name', 'last_name']) skip(field, read.reason)
    } else {
      const certainty = read.is_certain ? 'certain' : 'likely'
      if (isOnlyInitials(read.first_name)) skip('first_name', 'only_initials')
      else propose('first_name', read.first_name, 'full_name', { certainty })
      propose('last_name', read.last_name, 'full_name', { certainty })
      propose('name_prefix', read.prefix, 'full_name')
      propose('name_suffix', read.suffix, 'full_name')
    }
  }
  for (const [field, isFamily] of [
    ['first_name', false],
    ['last_name', true],
  ] as const) {
    const text = cell(row, field)
    // Two capital letters may be initials.
    const fixed = text.replace(/\P{L}/gu, '').length > 2 ? repairNameCase(text, { isFamily }) : text
    if (fixed !== text) propose(field, fixed, field, { fixes: true })
    else if (text === '' && full === '') skip(field, 'no_name')
  }
  return findings
}

const company: Rule = (row) => {
  const { findings, propose, skip } = collector('company')
  const text = cell(row, 'company')
  const read = text === '' ? null : readCompany(text)
  if (!read) skip('company_name', 'no_company')
  else {
    propose('company_name', read.name, 'company')
    propose('company_legal_form', read.legal_form, 'company')
  }
  return findings
}

const jobTitle: Rule = (row) => {
  const { findings, propose, skip } = collector('job_title')
  const text = cell(row, 'title')
  const read = readJobTitle(text)
  for (const field of ['seniority', 'department'] as const) {
    const value = read[field]
    if (value) propose(field, value, 'title', { certainty: 'likely' })
    else skip(field, text === '' ? 'no_title' : 'title_says_nothing')
  }
  return findings
}

const domain: Rule = (row) => {
  const { findings, propose, skip } = collector('domain')
  const [website, email] = [cell(row, 'website'), cell(row, 'email')]
  const finding = findDomain({ website, email })
  if (finding)
    propose('domain', finding.domain, finding.source, {
      certainty: finding.agrees === false ? 'likely' : 'certain',
    })
  else skip('domain', email !== '' ? 'free_mail' : 'no_address')
  return findings
}

const timezone: Rule = (row) => {
  const { findings, propose, skip } = collector('timezone')
  const finding = weighZone({
    timezone: cell(row, 'timezone'),
    country: cell(row, 'country'),
    city: cell(row, 'city'),
    state: cell(row, 'state'),
    phone: cell(row, 'phone'),
    website: cell(row, 'website'),
    email: cell(row, 'email'),
  })
  if (finding.kind === 'none') skip('timezone', finding.reason)
  else propose('timezone', finding.timezone, finding.source, { certainty: finding.certainty })
  return findings
}

const addressQuality: Rule = (row, { repeated_in }) => {
  const { findings, propose, skip } = collector('address_quality')
  const email = cell(row, 'email')
  if (email === '') {
    skip('email_quality', 'no_address')
    return findings
  }
  const faults = addressFaults(email, { isRepeated: repeated_in !== null })
  propose('email_quality', faults.length > 0 ? faults.join(', ') : 'good', 'email')
  if (repeated_in) propose('email_repeated_in', repeated_in, 'email')
  return findings
}

const RULES: Record<EnrichmentRule, Rule> = {
  names,
  company,
  job_title: jobTitle,
  domain,
  timezone,
  address_quality: addressQuality,
}

/** All findings of the rules for one row. Pure: equal rows give equal results. */
export function enrichRow(row: LeadData, rules: readonly EnrichmentRule[], around: Surroundings): Findings {
  const finding = rules.map((rule) => RULES[rule](row, around))
  return { proposals: finding.flatMap((one) => one.proposals), skips: finding.flatMap((one) => one.skips) }
}
