// The usual way: SheetJS reads the sheet into objects and COPY writes them into a table, without any check.
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import * as xlsx from 'xlsx'
import { peakMemoryMb, timed } from '../harness.ts'

const [file = ''] = (process.env.BENCH_SHEET ?? '').split(' ')
const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
await client.connect()
await client.query(
  'DROP TABLE IF EXISTS bare_rows; CREATE TABLE bare_rows (lead_index int PRIMARY KEY, data jsonb)',
)
const bytes = readFileSync(file)
const idle_mb = peakMemoryMb()
const { ms, result } = await timed(async () => {
  const book = xlsx.read(bytes, { dense: true })
  const sheet = book.Sheets[book.SheetNames[0] ?? '']
  const rows: object[] = sheet ? xlsx.utils.sheet_to_json(sheet) : []
  const lines = function* () {
    for (const [index, row] of rows.entries())
      yield `${index}\t${JSON.stringify(row).replaceAll('\\', '\\\\')}\n`
  }
  await pipeline(Readable.from(lines()), client.query(copyFrom('COPY bare_rows FROM STDIN')))
  return rows.length
})
console.log(JSON.stringify({ ms, rows: result, idle_mb, rss_mb: peakMemoryMb() }))
await client.end()
