import * as fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { closeDatabase } from '#lib/db/client'
import { median, printNote, RUNS, report, runWorker } from './harness.ts'
import { anOwner } from './seed.ts'

const ROWS = 100_000
const GOAL_RSS_MB = 300

type Result = { ms: number; rows: number; idle_mb: number; rss_mb: number }

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
} finally {
  fs.rmSync(folder, { recursive: true, force: true })
}
await closeDatabase()
