import { describe, expect, test } from 'vitest'
import * as XLSX from 'xlsx'
import { defaultSheet } from '#lib/domain/datasets/default-sheet'
import { type LeadRowsJob, leadRows } from '#lib/services/reading/lead-rows'
import { previewWorkbook } from '#lib/services/reading/spreadsheet-preview'
import { demoWorkbook } from '#lib/services/sandbox/demo-workbook'
import { heldFile } from '#tests/support/files/held-file'
import { leadRowsOnDisk, previewOnDisk } from '#tests/support/files/on-disk'

const IDS = {
  dataset_id: '018f0000-0000-7000-8000-000000000001',
  workspace_id: '018f0000-0000-7000-8000-000000000002',
}

const text = (content: string) => new TextEncoder().encode(content)

const leadRowsHere: typeof leadRowsOnDisk = (bytes, job) => leadRows(heldFile(bytes), job)

async function imported(
  bytes: Uint8Array,
  job: Partial<LeadRowsJob> & { sheet: string },
  read = leadRowsHere,
) {
  const rows = read(bytes, { filename: 'a.xlsx', mapping: {}, email_required: true, ...IDS, ...job })
  const leads: string[][] = []
  const rejects: string[][] = []
  const lines = (part: Uint8Array) =>
    new TextDecoder()
      .decode(part)
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split('\t'))
  let kept = 0
  let refused = 0
  let batches = 0
  let next = await rows.next()
  for (; !next.done; next = await rows.next()) {
    leads.push(...lines(next.value.rows))
    rejects.push(...lines(next.value.rejects))
    kept += next.value.kept
    refused += next.value.refused
    batches++
  }
  return { leads, rejects, kept, refused, batches, columns: next.value }
}

describe('a messy workbook', () => {
  const demo = demoWorkbook()

  test('is the same at every call', () => {
    expect(demoWorkbook().expected).toEqual(demo.expected)
  })

  test('is previewed: header found, columns typed, hidden and empty sheets told of', async () => {
    const preview = await previewWorkbook(heldFile(demo.bytes), demo.filename)
    expect(preview).toMatchObject({ format: 'xlsx', filename: demo.filename, total_sheets: 3 })
    expect(
      Object.values(preview.sheets).map(({ name, index, hidden, row_count }) => [
        name,
        index,
        hidden,
        row_count,
      ]),
    ).toEqual([
      ['Prospects', 0, false, demo.expected.rows],
      ['Lookups', 1, true, 1],
      ['Empty', 2, false, 0],
    ])
    expect(defaultSheet(Object.values(preview.sheets))?.name).toBe('Prospects')
    expect(preview.sheets.Empty).toEqual({
      name: 'Empty',
      index: 2,
      hidden: false,
      row_count: 0,
      column_count: 0,
      header_row: null,
      columns: [],
      sample_rows: [],
      suggested_mapping: {},
    })
    const sheet = preview.sheets.Prospects
    expect(sheet).toMatchObject({
      header_row: 3,
      column_count: 12,
      suggested_mapping: {
        'Given name': 'first_name',
        Surname: 'last_name',
        'E-mail Address': 'email',
        Company: 'company',
        'Job title': 'title',
        Phone: 'phone',
        'Time zone': 'timezone',
      },
    })
    expect(sheet?.columns.map((column) => [column.name, column.index, column.type])).toEqual([
      ['Given name', 0, 'text'],
      ['Surname', 1, 'text'],
      ['E-mail Address', 2, 'email'],
      ['Company', 3, 'text'],
      ['Job title', 4, 'text'],
      ['Phone', 5, 'phone'],
      ['Customer no.', 6, 'number'],
      ['Employees', 7, 'number'],
      ['Last contact', 8, 'date'],
      ['Time zone', 9, 'text'],
      ['Score', 10, 'number'],
      ['Notes', 11, 'text'],
    ])
    expect(sheet?.sample_rows).toHaveLength(5)
    expect(sheet?.sample_rows[0]).toMatchObject({
      'Customer no.': '00007',
      'Last contact': '2026-01-01',
      Score: '0',
    })
    expect(sheet?.columns[2]?.filled_count).toBe(demo.expected.rows - demo.expected.refused.missing_email)
  })

  test('is imported: every row kept or refused, and the same in a worker', async () => {
    const preview = await previewOnDisk(IDS.workspace_id, demo.bytes, demo.filename)
    const mapping = preview.sheets.Prospects?.suggested_mapping as LeadRowsJob['mapping']
    const result = await imported(demo.bytes, { sheet: 'Prospects', mapping })
    expect(result.kept).toBe(demo.expected.kept)
    expect(result.kept + result.refused).toBe(demo.expected.rows)
    expect(result.leads.map((lead) => Number(lead[1]))).toEqual(
      Array.from({ length: result.kept }, (_, at) => at),
    )
    const codes = Object.groupBy(result.rejects, (reject) => reject[5] ?? '')
    expect(
      Object.fromEntries(Object.entries(codes).map(([code, rejects]) => [code, rejects?.length])),
    ).toEqual(demo.expected.refused)
    expect(result.rejects[0]).toEqual([
      IDS.dataset_id,
      IDS.workspace_id,
      '9',
      'C9',
      'E-mail Address',
      'missing_email',
      'The row has no email address.',
      '\\N',
      JSON.stringify({
        first_name: 'Siobhán',
        last_name: 'Nowak',
        company: 'Contoso, Ltd.',
        title: 'Head of Sales',
        phone: '0711555005',
        customer_no: '00072',
        employees: '185',
        last_contact: '2026-01-06',
        timezone: 'Europe/Berlin',
        score: '1.9',
      }),
    ])
    expect(JSON.parse(result.leads[0]?.[4]?.replaceAll('\\\\', '\\') ?? '')).toEqual({
      first_name: 'Anna',
      last_name: 'García-López',
      email: 'lead0@example.com',
      company: 'Café Zürich GmbH',
      title: 'Head of Sales',
      phone: '+49 (0)30 5550100',
      customer_no: '00007',
      employees: '0',
      last_contact: '2026-01-01',
      timezone: 'Europe/Berlin',
      score: '0',
      notes: 'Met at the fair; asked for “pricing”\nfollow up 🙂',
    })
    expect(await imported(demo.bytes, { sheet: 'Prospects', mapping }, leadRowsOnDisk)).toEqual(result)
  })
})

test('a sheet may have any name, and rows wider than its header', async () => {
  const book = XLSX.utils.book_new(
    XLSX.utils.aoa_to_sheet([
      ['Email', 'Name'],
      ['a@example.com', 'A', 'more'],
    ]),
    '__proto__',
  )
  const bytes = new Uint8Array(XLSX.write(book, { type: 'array', bookType: 'xlsx' }))
  const preview = await previewOnDisk(IDS.workspace_id, bytes, 'a.xlsx')
  const [sheet] = Object.values(preview.sheets)
  expect(sheet).toMatchObject({ name: '__proto__', row_count: 1, column_count: 3 })
  expect(sheet?.sample_rows).toEqual([{ Email: 'a@example.com', Name: 'A', 'Column C': 'more' }])
  expect((await imported(bytes, { sheet: '__proto__', mapping: { Email: 'email' } })).columns).toEqual([
    { name: 'Email', key: 'email' },
    { name: 'Name', key: 'name' },
    { name: 'Column C', key: 'column_c' },
  ])
})

test('a column that fills late is counted, named and kept', async () => {
  const rows = Array.from(
    { length: 3_000 },
    (_, at) => `lead${at}@example.com,x${at === 2_900 ? ',late' : ''}`,
  )
  const bytes = text(`Email,Name\n${rows.join('\n')}\n`)
  const sheet = (await previewWorkbook(heldFile(bytes), 'list.csv')).sheets.list
  expect(sheet?.columns.map(({ name, filled_count, type }) => [name, filled_count, type])).toEqual([
    ['Email', 3_000, 'email'],
    ['Name', 3_000, 'text'],
    ['Column C', 1, 'text'],
  ])
  const result = await imported(bytes, { filename: 'list.csv', sheet: 'list', mapping: { Email: 'email' } })
  expect(result).toMatchObject({ kept: 3_000, refused: 0, batches: 2 })
  expect(result.columns.at(-1)).toEqual({ name: 'Column C', key: 'column_c' })
})

test('a list without a header is imported by its first row', async () => {
  const bytes = text('Anna;anna@example.com\nBen;ben@example.com\n')
  const sheet = (await previewWorkbook(heldFile(bytes), 'list.csv')).sheets.list
  expect(sheet).toMatchObject({ header_row: null, row_count: 2, suggested_mapping: { 'Column B': 'email' } })
  const result = await imported(bytes, {
    filename: 'list.csv',
    sheet: 'list',
    mapping: { 'Column B': 'email' },
  })
  expect(result.leads.map((lead) => lead[4])).toEqual([
    '{"column_a":"Anna","email":"anna@example.com"}',
    '{"column_a":"Ben","email":"ben@example.com"}',
  ])
})
