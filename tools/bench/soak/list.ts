// Writes one list of people to a file, a workbook or CSV. One in five was on an earlier list.
import * as fs from 'node:fs'
import os from 'node:os'
import * as xlsx from 'xlsx'

// Users create their lists elsewhere: this must not take CPU from the measured instance.
os.setPriority(os.constants.priority.PRIORITY_LOW)

const { BENCH_LIST_FILE: file = '' } = process.env
const [list, rows] = [Number(process.env.BENCH_LIST), Number(process.env.BENCH_LIST_ROWS)]
/** Repeats come from this many lists ago: by then that campaign has written to all of its people. */
const BEFORE = 4
const COMPANIES = 9_000
const HEADER = 'Email,First name,Last name,Company,Title,City,Country,Website,Phone,Mark'.split(',')

function* people() {
  for (let row = 0; row < rows; row++) {
    const isKnown = row % 5 === 0 && list >= BEFORE
    const person = isKnown ? (list - BEFORE) * rows + row + 1 : list * rows + row
    const company = person % COMPANIES
    yield [
      `person${person}@company${company}.example.com`,
      `First${person}`,
      `Last${person}`,
      `Company ${company}`,
      `Head of ${person % 30}`,
      `City ${person % 500}`,
      `Country ${person % 60}`,
      `https://company${company}.example.com`,
      `+49 30 ${person}`,
      `soak-${list}-${row}.`,
    ]
  }
}

const table = [HEADER, ...people()]
if (file.endsWith('.csv')) fs.writeFileSync(file, table.map((cells) => cells.join(',')).join('\n'))
else {
  const book = xlsx.utils.book_new()
  xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet(table), 'People')
  const options = { type: 'buffer', bookType: 'xlsx', compression: true, bookSST: true } as const
  fs.writeFileSync(file, xlsx.write(book, options))
}
console.log('{}')
