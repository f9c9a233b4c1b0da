import * as XLSX from 'xlsx'

export type DemoWorkbook = {
  filename: string
  bytes: Uint8Array
  /** The sheet with the leads; the others are a hidden and an empty one. */
  sheet: string
  /** What an import must arrive at, counted while the rows were written. */
  expected: {
    rows: number
    kept: number
    refused: Record<'missing_email' | 'invalid_email' | 'duplicate_email', number>
  }
}

const FIRST_NAMES = [
  'Anna',
  'José',
  'Zoë',
  '王',
  'Łukasz',
  'Siobhán',
  'Björn',
  'Aylin',
  'Дмитрий',
  'Noor',
  'O’Neil',
  'Yūki',
  'Nguyễn',
]
const LAST_NAMES = [
  'Müller',
  'García-López',
  'de la Cruz',
  '小林',
  'Ó Briain',
  'Nowak',
  'Sørensen',
  'Yılmaz',
  "O'Connor",
  'Иванова',
  'Haddad',
]
const COMPANIES = [
  'Café Zürich GmbH',
  '=SUM Media',
  '@Handle Studio',
  'Acme & Sons',
  'Contoso, Ltd.',
  'Nordlicht "Labs"',
  'Adatum\nCorporation',
]
const TITLES = ['Head of Sales', 'CTO', 'Founder & CEO', 'Ops Manager', '']
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', '']
const DOMAINS = ['example.com', 'example.org', 'example.net', 'nordlicht.example', 'adatum.example']
const BROKEN = [
  'not-an-address',
  'anna@',
  '@example.com',
  'jose garcia@example.com',
  'zoe@@example.com',
  'noor@example',
  '#N/A',
]

const HEADER = [
  'Given name',
  'Surname',
  'E-mail Address ',
  'Company',
  'Job title',
  'Phone',
  'Customer no.',
  'Employees',
  'Last contact',
  'Time zone',
  'Score',
  'Notes',
]
const LEAD_ROWS = 120
const FIRST_SERIAL = 46_023

type Fate = 'kept' | 'missing_email' | 'invalid_email' | 'duplicate_email' | 'blank'

/**
 * A lead list as people send them: a title above the header, blank rows, addresses that are missing, broken, repeated or oddly written,
 * names in many scripts, leading zeros, dates, formulas, a hidden and an empty sheet. The same at every call. All people are invented, all
 * domains reserved (RFC 2606).
 */
export function demoWorkbook(): DemoWorkbook {
  const counts: Record<Fate, number> = {
    kept: 0,
    missing_email: 0,
    invalid_email: 0,
    duplicate_email: 0,
    blank: 0,
  }
  const sheet = XLSX.utils.aoa_to_sheet([['Prospects – export of 2026-10-31'], [], HEADER])
  for (let n = 0; n < LEAD_ROWS; n++) {
    const fate = chooseFate(n)
    counts[fate]++
    const row = n + HEADER_ROWS + 1
    if (fate !== 'blank') XLSX.utils.sheet_add_aoa(sheet, [leadCells(n, fate, row)], { origin: `A${row}` })
  }
  sheet['!merges'] = [XLSX.utils.decode_range('A1:F1')]
  const book = XLSX.utils.book_new(sheet, 'Prospects')
  XLSX.utils.book_append_sheet(
    book,
    XLSX.utils.aoa_to_sheet([
      ['code', 'meaning'],
      ['A', 'hot'],
    ]),
    'Lookups',
  )
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([]), 'Empty')
  book.Workbook = { Sheets: [{ Hidden: 0 }, { Hidden: 1 }, { Hidden: 0 }] }

  const { kept, blank, ...refused } = counts
  return {
    filename: 'demo-prospects.xlsx',
    bytes: new Uint8Array(XLSX.write(book, { type: 'array', bookType: 'xlsx', compression: true })),
    sheet: 'Prospects',
    expected: { rows: LEAD_ROWS - blank, kept, refused },
  }
}

const HEADER_ROWS = 3

function chooseFate(n: number): Fate {
  if (n === 60) return 'blank'
  if (n % 17 === 5) return 'missing_email'
  if (n % 19 === 7) return 'invalid_email'
  if (n % 23 === 20) return 'duplicate_email'
  return 'kept'
}

const pick = (from: readonly string[], n: number): string => from[n % from.length] ?? ''

function leadCells(n: number, fate: Fate, row: number) {
  return [
    pick(FIRST_NAMES, n),
    pick(LAST_NAMES, n * 3 + 1),
    emailCell(n, fate),
    pick(COMPANIES, n * 5),
    pick(TITLES, n),
    n % 3 === 0 ? `+49 (0)30 ${5_550_100 + n}` : `0${711_555_000 + n}`,
    { t: 'n', v: 7 + n * 13, z: '00000' },
    n * 37,
    { t: 'n', v: FIRST_SERIAL + n, z: 'dd/mm/yyyy' },
    pick(ZONES, n),
    { t: 'n', v: Math.round(n * 3.7) / 10, f: `ROUND(H${row}/100,1)` },
    n % 9 === 0 ? 'Met at the fair; asked for “pricing”\nfollow up 🙂' : '',
  ]
}

/** Kept addresses are unique by their number; a duplicate is the address of an earlier kept row in different case. */
function emailCell(n: number, fate: Fate): string {
  const address = (of: number) => `lead${of}@${pick(DOMAINS, of)}`
  if (fate === 'missing_email') return ''
  if (fate === 'invalid_email') return pick(BROKEN, n)
  if (fate === 'duplicate_email') return address(n - 20).toUpperCase()
  if (n % 10 === 1) return `  ${address(n)} `
  if (n % 10 === 3) return `${pick(FIRST_NAMES, n)} <${address(n)}>`
  if (n % 10 === 9) return `mailto:${address(n)}`
  return address(n)
}
