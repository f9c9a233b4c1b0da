import { planImport } from '#lib/domain/datasets/plan'
import { rowJudge } from '#lib/domain/datasets/rows'
import { readHead } from '#lib/domain/datasets/sheet-head'
import { csvLine } from '#lib/domain/text/csv'
import { csvRows } from '#lib/providers/spreadsheet/csv'
import { csvRecords } from '#lib/providers/spreadsheet/csv-records'
import { type SheetRow, SpreadsheetError } from '#lib/providers/spreadsheet/port'
import { readTextFile, type TextFile } from '#lib/providers/spreadsheet/text-file'
import { readSuppressionList } from '#lib/services/reading/suppression-list'
import { heldFile } from '#tests/support/files/held-file'
import { promise, promiseStorable, type Target, textOf, unlessRefused } from '#tests/support/fuzz/target'
import { promiseOfSheet } from '#tests/support/fuzz/targets/sheets'

async function rowsOf(text: Pick<TextFile, 'head' | 'pieces'>): Promise<SheetRow[]> {
  const rows: SheetRow[] = []
  for await (const batch of csvRows(text, ',')) rows.push(...batch)
  return rows
}

/** Number of rows in = rows kept + rows refused. */
function promiseOfImport(rows: SheetRow[]): void {
  const head = readHead(rows)
  const planned = planImport({ ...head, mapping: head.suggested_mapping, email_required: false })
  if (!planned.ok) return
  const verdicts = rows.map(rowJudge(planned.plan))
  promise(verdicts.length === rows.length, 'every row is judged')
  for (const verdict of verdicts)
    if (verdict.kind === 'kept') promiseStorable({ email: verdict.lead.email, data: verdict.lead.data })
}

export const csv: Target = {
  name: 'csv',
  max: 32 * 1024,
  slow_ms: 5_000,
  seeds: () => [
    'Email,First name,Company,Notes\nann@a.test,Ann,"A, Inc.","said ""hi"""\r\nbob@b.test,Bob,,\n',
    'sep=;\nE-Mail;Vorname;Firma\n"ann@a.test";Änn;="00123"\n',
    '\ufeffemail\tphone\twebsite\nann@a.test\t+49 30 123\thttps://a.test\n',
    Buffer.from('\ufeffEmail,Name\nann@a.test,Ann\n', 'utf16le'),
    'ann@a.test\nbob@b.test\n@c.test\nnonsense',
  ],
  words: [
    ',',
    ';',
    '\t',
    '|',
    '"',
    '""',
    '",',
    ',"',
    '\n',
    '\r',
    '\r\n',
    'sep=',
    '="',
    '=cmd|',
    '+1',
    '-1',
    '@a.test',
    'ann@a.test',
    'Email',
    'First name',
    '__proto__',
    'constructor',
    '\0',
    '\ufeff',
    '\u0085',
    '\u2028',
    '#N/A',
    'NULL',
    '1e5',
    '2026-03-02',
    'x'.repeat(400),
  ],
  async run(input) {
    await promiseOfSheet(input, 'a.csv')
    const list = await unlessRefused(() => readSuppressionList(heldFile(input)), SpreadsheetError)
    if (list) promiseStorable(list.values)
    const text = readTextFile(heldFile(input))
    const rows = text === null ? null : await unlessRefused(() => rowsOf(text), SpreadsheetError)
    if (rows) promiseOfImport(rows)
  },
}

const isFormula = (cell: string) => /^[=+\-@\t\r]/.test(cell) && !/^[+-]?\d+([.,]\d+)?$/.test(cell)

/** What is written can be read back unchanged, and no cell is executed by a spreadsheet program. */
export const csvOut: Target = {
  name: 'csv-out',
  max: 4_096,
  seeds: () => ['a\x1eb', '=1+1\x1e"x"\x1e a, b', '-1.5\x1e+4\x1e\r\n\x1e@x', '\x1e\x1e'],
  words: [
    '\x1e',
    '"',
    ',',
    ';',
    '\r',
    '\n',
    '=',
    '+',
    '-',
    '@',
    '\t',
    "'",
    '="',
    '\0',
    '\ufeff',
    '1',
    '.',
    'sep=',
  ],
  async run(input) {
    const cells = textOf(input).split('\x1e')
    const line = csvLine(cells)
    // The delimiter is given: nobody could tell it from one odd line.
    const rows = await unlessRefused(
      () => rowsOf({ head: `sep=,\r\n${line}`, pieces: () => [`sep=,\r\n${line}`].values() }),
      SpreadsheetError,
    )
    if (!rows) return
    const [row, ...more] = rows
    promise(more.length === 0, 'one line is one row')
    if (cells.every((cell) => cell === '')) return promise(row === undefined, 'nothing is no row')
    promise(
      JSON.stringify(row?.cells) === JSON.stringify(cells),
      `${JSON.stringify(cells)} comes back, not ${JSON.stringify(row?.cells)}`,
    )
    const [written = []] = csvRecords([line], ',', line.length)
    promise(!written.some(isFormula), `${JSON.stringify(written)} runs nothing`)
  },
}
