// Writes a workbook of so many made-up people in ten columns, as a spreadsheet program would, to the named file.
import { writeFileSync } from 'node:fs'
import * as xlsx from 'xlsx'

const [file = '', rows = '0'] = (process.env.BENCH_SHEET ?? '').split(' ')
const header = [
  'Email',
  'First name',
  'Last name',
  'Company',
  'Title',
  'City',
  'Country',
  'Website',
  'Phone',
  'Industry',
]
const people = Array.from({ length: Number(rows) }, (_, n) => [
  `person${n}@company${n % 9000}.example.com`,
  `First${n}`,
  `Last${n}`,
  `Company ${n % 9000}`,
  `Head of ${n % 30}`,
  `City ${n % 500}`,
  `Country ${n % 60}`,
  `https://company${n % 9000}.example.com`,
  `+49 30 ${n}`,
  `Industry ${n % 40}`,
])
const book = xlsx.utils.book_new()
xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet([header, ...people]), 'People')
writeFileSync(file, xlsx.write(book, { type: 'buffer', bookType: 'xlsx', compression: true, bookSST: true }))
console.log('{}')
