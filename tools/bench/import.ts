import * as fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { closeDatabase } from '#lib/db/client'
import { median, printNote, RUNS, report, runWorker } from './harness.ts'
import { anOwner } from './seed.ts'

const ROWS = 100_000
const GOAL_RSS_MB = 300
const PREVIEW_GOAL_MS = 300
/** With its header, as many cells as a file may have. */
const CSV_ROWS = 999_999
const CSV_GOAL = { rows_per_second: 60_000, rss_mb: 150 }

type Result = { ms: number; preview_ms: number; rows: number; idle_mb: number; rss_mb: number }

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'opener-bench-'))
const file = path.join(folder, 'people.xlsx')
try {
  printNote(`writing a workbook of ${ROWS.toLocaleString('en')} rows`)
  await runWorker('bare/sheet.ts', { BENCH_SHEET: `${file} ${ROWS}` })
  const { workspace_id } = await anOwner()
  const ours: Result[] = []
  const peer: Result[] = []
  for (let run = 0; run < RUNS; run++) {
    const sides = [
      async () =>
        ours.push(await runWorker<Result>('workers/import.ts', { BENCH_SHEET: `${file} ${workspace_id}` })),
      async () => peer.push(await runWorker<Result>('bare/import.ts', { BENCH_SHEET: file })),
    ]
    for (const side of run % 2 === 0 ? sides : sides.reverse()) await side()
    const [one, other] = [ours.at(-1), peer.at(-1)]
    printNote(
      `ours ${one?.ms.toFixed(0)} ms, ${one?.rss_mb} MB; SheetJS + COPY ${other?.ms.toFixed(0)} ms, ${other?.rss_mb} MB`,
    )
    if (one?.rows !== ROWS || other?.rows !== ROWS)
      throw new Error(`imported ${one?.rows} and ${other?.rows} rows`)
  }
  const [mine, usual] = [median(ours.map((one) => one.ms)), median(peer.map((one) => one.ms))]
  report({
    what: `Import of ${ROWS.toLocaleString('en')} × 10 xlsx: preview, checks, rows committed`,
    ours: `${Math.round(ROWS / (mine / 1000)).toLocaleString('en')} rows/s`,
    against: `${Math.round(ROWS / (usual / 1000)).toLocaleString('en')} rows/s (SheetJS + COPY, unchecked)`,
    ratio: (usual / mine).toFixed(2),
    goal: '≥ 1.0',
    met: usual / mine >= 1,
  })
  const above = (results: Result[]) => Math.max(...results.map((one) => one.rss_mb - one.idle_mb))
  report({
    what: 'Peak memory of that process above idle',
    ours: `${above(ours)} MB`,
    against: `${above(peer)} MB (SheetJS + COPY)`,
    ratio: (above(ours) / above(peer)).toFixed(2),
    goal: `≤ 0.5 and ≤ ${GOAL_RSS_MB} MB`,
    met: above(ours) <= above(peer) / 2 && above(ours) <= GOAL_RSS_MB,
  })
  const preview = median(ours.map((one) => one.preview_ms))
  report({
    what: `Preview of that file: its first rows and its columns, its reader started when its address was made`,
    ours: `${Math.round(preview)} ms`,
    against: `${PREVIEW_GOAL_MS} ms`,
    ratio: (preview / PREVIEW_GOAL_MS).toFixed(2),
    goal: '≤ 1.0',
    met: preview <= PREVIEW_GOAL_MS,
  })
  await importCsv(workspace_id)
} finally {
  fs.rmSync(folder, { recursive: true, force: true })
}
await closeDatabase()

async function importCsv(workspace_id: string) {
  const csv = path.join(folder, 'people.csv')
  printNote(`writing ${CSV_ROWS.toLocaleString('en')} rows of CSV`)
  await runWorker('bare/sheet.ts', { BENCH_SHEET: `${csv} ${CSV_ROWS}` })
  const results: Result[] = []
  for (let run = 0; run < Math.min(RUNS, 3); run++) {
    const one = await runWorker<Result>('workers/import.ts', { BENCH_SHEET: `${csv} ${workspace_id}` })
    if (one.rows !== CSV_ROWS) throw new Error(`imported ${one.rows} rows`)
    printNote(
      `CSV ${one.ms.toFixed(0)} ms, preview ${one.preview_ms.toFixed(0)} ms, ${one.rss_mb - one.idle_mb} MB`,
    )
    results.push(one)
  }
  const rate = CSV_ROWS / (median(results.map((one) => one.ms)) / 1000)
  report({
    what: `Import of ${CSV_ROWS.toLocaleString('en')} × 10 CSV: preview, checks, rows committed`,
    ours: `${Math.round(rate).toLocaleString('en')} rows/s`,
    against: `${CSV_GOAL.rows_per_second.toLocaleString('en')} rows/s`,
    ratio: (rate / CSV_GOAL.rows_per_second).toFixed(2),
    goal: '≥ 1.0',
    met: rate >= CSV_GOAL.rows_per_second,
  })
  const rss = Math.max(...results.map((one) => one.rss_mb - one.idle_mb))
  report({
    what: 'Peak memory of that process above idle, which has the file (160 MB)',
    ours: `${rss} MB`,
    against: `${CSV_GOAL.rss_mb} MB`,
    ratio: (rss / CSV_GOAL.rss_mb).toFixed(2),
    goal: '≤ 1.0',
    met: rss <= CSV_GOAL.rss_mb,
  })
}
