// Writes the given number of made-up people in ten columns to the named file: a workbook as a spreadsheet program writes it, or
// CSV.
import { createWriteStream, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
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
function* people() {
  for (let n = 0; n < Number(rows); n++)
    yield [
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
    ]
}

function* lines() {
  yield `${header.join(',')}\n`
  for (const person of people()) yield `${person.join(',')}\n`
}

if (file.endsWith('.csv')) await pipeline(Readable.from(lines()), createWriteStream(file))
else {
  const book = xlsx.utils.book_new()
  xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet([header, ...people()]), 'People')
  writeFileSync(
    file,
    xlsx.write(book, { type: 'buffer', bookType: 'xlsx', compression: true, bookSST: true }),
  )
}
console.log('{}')
