import * as fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { ROOT } from '#scripts/up/settings'

const FILE = path.join(ROOT, 'tools/timings/pages.md')

/** One table of tools/timings/pages.md; the first cell identifies a row. */
export type Sheet = { title: string; about: string; head: string[]; rows: string[][] }

/** The load when this process started. */
const LOAD = os.loadavg()[0] ?? 0

const rowText = (cells: string[]) => `| ${cells.join(' | ')} |`

/** Writes the tables measured now. Other rows and tables are unchanged. */
export function keepSheets(sheets: Sheet[]): void {
  const old = fs.existsSync(FILE) ? fs.readFileSync(FILE, 'utf8') : ''
  const sections = new Map(
    old
      .split(/^## /m)
      .slice(1)
      .map((section) => [section.slice(0, section.indexOf('\n')), `## ${section.trimEnd()}`]),
  )
  for (const sheet of sheets) sections.set(sheet.title, renderSection(sheet, sections.get(sheet.title) ?? ''))
  const cpu = os.cpus()
  const machine = `${cpu.length} × ${cpu[0]?.model.trim() ?? 'CPU'}, ${Math.round(os.totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`
  const head = `# Timings of pages

Measured by \`npm run timings\` on a running production build, last on ${new Date().toISOString().slice(0, 10)}: ${machine}.
The browser (headless Chromium, nothing cached, 1440 × 900) runs on the same machine as web server, engine and Postgres. All figures are the browser's own:
PerformanceObserver, requestAnimationFrame and the resource timings. The load of the machine stands at each table: where it is
far above what a browser and a server make of it, other work ran beside.`
  fs.writeFileSync(FILE, `${[head, ...sections.values()].join('\n\n')}\n`)
}

function renderSection({ title, about, head, rows }: Sheet, old: string): string {
  const isRow = (line: string) => line.startsWith('| ') && !line.startsWith('| ---')
  const kept = new Map(
    old
      .split('\n')
      .filter(isRow)
      .slice(1)
      .map((line) => [line.split(' | ')[0]?.slice(2) ?? '', line]),
  )
  for (const row of rows) kept.set(row[0] ?? '', rowText(row))
  return [
    `## ${title}`,
    '',
    `${about} Load when it began: ${LOAD.toFixed(1)}.`,
    '',
    rowText(head),
    rowText(head.map(() => '---')),
    ...kept.values(),
  ].join('\n')
}
