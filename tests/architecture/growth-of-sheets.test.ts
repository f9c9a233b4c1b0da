import { describe, expect, test } from 'vitest'
import { cleanText, isErrorText } from '#lib/domain/datasets/cells'
import { typeOfValue } from '#lib/domain/datasets/column-type'
import { columnNames, toSlug } from '#lib/domain/datasets/columns'
import { readEmailCell } from '#lib/domain/datasets/email-address'
import { columnFinder, judgeGivenRow } from '#lib/domain/datasets/given-rows'
import { fieldHinted, fieldNamed, headerKey } from '#lib/domain/datasets/header-names'
import { readPastedTable } from '#lib/domain/datasets/pasted-table'
import { planImport } from '#lib/domain/datasets/plan'
import { rowJudge } from '#lib/domain/datasets/rows'
import { readHead } from '#lib/domain/datasets/sheet-head'
import { findMailProvider } from '#lib/domain/domains/mail-providers'
import { addressFaults, isDisposableDomain, isRoleLocal } from '#lib/domain/enrichment/address-quality'
import { readCompany } from '#lib/domain/enrichment/company-name'
import { countryCode } from '#lib/domain/enrichment/country'
import { checkedDomain } from '#lib/domain/enrichment/domain-text'
import { enrichRow } from '#lib/domain/enrichment/enrich'
import { extractFromRow } from '#lib/domain/enrichment/extract'
import { readJobTitle } from '#lib/domain/enrichment/job-title'
import { EXTRACTION_KINDS } from '#lib/domain/enrichment/kinds'
import { repairNameCase } from '#lib/domain/enrichment/letter-case'
import { splitFullName } from '#lib/domain/enrichment/person-name'
import { ENRICHMENT_RULES } from '#lib/domain/enrichment/rule-names'
import { addressesInText } from '#lib/domain/enrichment/text-addresses'
import { linksInText } from '#lib/domain/enrichment/text-links'
import { nameInText } from '#lib/domain/enrichment/text-names'
import { phonesInText } from '#lib/domain/enrichment/text-phones'
import { findTimezone } from '#lib/domain/enrichment/time-zone'
import { domainOfWebsite, findDomain } from '#lib/domain/enrichment/web-domain'
import { countryOfDomain } from '#lib/domain/enrichment/zone-evidence'
import { readZoneName } from '#lib/domain/enrichment/zone-name'
import { localParts } from '#lib/domain/finder/patterns'
import { listedNames } from '#lib/domain/leads/listed-names'
import { readSuppression, valueColumn } from '#lib/domain/leads/suppression-value'
import { csvLine } from '#lib/domain/text/csv'
import { generalText, numberText } from '#lib/providers/spreadsheet/cell-text'
import { CsvTrouble, csvRecords } from '#lib/providers/spreadsheet/csv-records'
import { detectFormat } from '#lib/providers/spreadsheet/format'
import { readTextFile, sniffDelimiter } from '#lib/providers/spreadsheet/text-file'
import { rowScanner } from '#lib/providers/spreadsheet/xlsx-rows'
import { attribute, richText, tagsNamed, unescapeXml } from '#lib/providers/spreadsheet/xml'
import { outgrown, type Reader, reader } from '#tests/support/code/growth'
import { heldFile } from '#tests/support/files/held-file'

const CELLS = { shared: () => '', styles: [], date1904: false }

function recordsIn(pieces: Iterable<string>) {
  try {
    return Array.from(csvRecords(pieces, ',', Number.POSITIVE_INFINITY))
  } catch (error) {
    if (error instanceof CsvTrouble) return error
    throw error
  }
}

function* cut(text: string) {
  for (let at = 0; at < text.length; at += 64) yield text.slice(at, at + 64)
}

const rowsOf = (text: string) => [
  { row_number: 1, cells: ['Email', 'Name', ...text.split(' ', 40)] },
  { row_number: 2, cells: ['ann@acme.example', text.slice(0, 2_000), ...text.split('a', 40)] },
]

function importOf(rows: ReturnType<typeof rowsOf>) {
  const { header_row, header } = readHead(rows)
  const planned = planImport({ header_row, header, mapping: { Email: 'email' }, email_required: false })
  return 'plan' in planned ? rows.map(rowJudge(planned.plan)) : planned
}

const FIELDS = [
  'full_name',
  'first_name',
  'last_name',
  'company',
  'title',
  'website',
  'email',
  'country',
  'city',
  'state',
  'phone',
]
const rowOf = (text: string) => Object.fromEntries(FIELDS.map((name) => [name, text]))

const READERS = {
  sheets: [
    reader('cleanText', cleanText),
    reader('isErrorText', isErrorText),
    reader('detectFormat', (text) =>
      detectFormat(heldFile(new TextEncoder().encode(text)), 'a.csv').catch((error: unknown) => error),
    ),
    reader('readTextFile', (text) => readTextFile(heldFile(new TextEncoder().encode(text)))),
    reader('csvRecords', (text) => recordsIn([text])),
    reader('csvRecords, in pieces', (text) => recordsIn(cut(text))),
    reader('csvRecords, of a field that begins with a mark', (text) => recordsIn(cut(`"${text}`))),
    reader('sniffDelimiter', sniffDelimiter),
    reader('numberText', (text) => numberText(text, false)(1.5)),
    reader('generalText', (text) => generalText(1, text)),
    reader('unescapeXml', unescapeXml),
    reader('attribute', (text) => attribute(text, 'r')),
    reader('tagsNamed', (text) => tagsNamed(text, 'sheet')),
    reader('richText', richText),
    reader('rowScanner, of rows', (text) => Array.from(rowScanner(CELLS)(text))),
    reader('rowScanner, of cells', (text) => Array.from(rowScanner(CELLS)(`<row>${text}</row>`))),
    reader('rowScanner, of values', (text) =>
      Array.from(
        rowScanner(CELLS)(
          ['inlineStr', 'str', 'd', 'n']
            .map((type) => `<row><c t="${type}"><v>${text}</v></c></row>`)
            .join(''),
        ),
      ),
    ),
  ],
  cells: [
    reader('readEmailCell', readEmailCell),
    reader('typeOfValue', typeOfValue),
    reader('toSlug', toSlug, 300),
    reader('headerKey', headerKey, 300),
    reader('fieldNamed', fieldNamed, 300),
    reader('fieldHinted', fieldHinted, 300),
    reader('columnNames', (text) => columnNames([text])(0)),
    reader('columnNames of many', (text) => columnNames(text.split(' '))(0)),
    reader('readHead', (text) => readHead(rowsOf(text))),
    reader('planImport and rowJudge', (text) => importOf(rowsOf(text))),
    reader('judgeGivenRow', (text) => judgeGivenRow({ email: text, [text]: text }, columnFinder([]))),
    reader('judgeGivenRow of many cells', (text) =>
      judgeGivenRow(Object.fromEntries(text.split(' ').map((name) => [name, name])), columnFinder([])),
    ),
    reader('readPastedTable', (text) => readPastedTable(text)),
    reader('readSuppression', readSuppression),
    reader('listedNames', (text) => listedNames({ data: { linkedin: text, phone: text, country: 'DE' } })),
    reader('valueColumn', (text) => valueColumn([text])),
    reader('csvLine', (text) => csvLine([text])),
    reader('localParts', (text) => localParts({ first_name: text, last_name: text })),
    reader('addressFaults', addressFaults),
    reader('isDisposableDomain', isDisposableDomain),
    reader('isRoleLocal', isRoleLocal),
    reader('readCompany', readCompany),
    reader('countryCode', countryCode),
    reader('checkedDomain', checkedDomain),
    reader('enrichRow', (text) => enrichRow(rowOf(text), ENRICHMENT_RULES, { repeated_in: null })),
    reader('readJobTitle', readJobTitle),
    reader('repairNameCase', repairNameCase),
    reader('splitFullName', splitFullName),
    reader('findTimezone', (text) => findTimezone({ country: 'US', city: text, state: text, phone: text })),
    reader('readZoneName', (text) => readZoneName(text, 'US')),
    reader('countryOfDomain', countryOfDomain),
    reader('domainOfWebsite', domainOfWebsite),
    reader('findDomain', (text) => findDomain({ website: text, email: text })),
    reader('extractFromRow', (text) =>
      extractFromRow({ notes: text }, { kinds: EXTRACTION_KINDS, columns: null }),
    ),
    reader('addressesInText', addressesInText),
    reader('linksInText', linksInText),
    reader('nameInText', nameInText),
    reader('phonesInText', (text) => phonesInText(text, 'DE')),
    reader('findMailProvider', findMailProvider),
  ],
} satisfies Record<string, Reader[]>

describe.each(Object.entries(READERS))('%s', (_room, readers) => {
  test.each<Reader>(readers)(
    '$name takes time in proportion to its input',
    (asked) => {
      expect(outgrown(asked)).toBeNull()
    },
    600_000,
  )
})
