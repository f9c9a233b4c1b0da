import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

const ENTRY = 'services/reading/main.ts'
const LOOK_EVERY_MS = 20

/** What the most greedy reader process of this process holds, or ever held where the system keeps that, in MB. */
function readersMb(): number {
  return Math.max(0, ...(existsSync('/proc/self/task') ? linuxKb() : otherKb())) / 1_000
}

function linuxKb(): number[] {
  const children = readdirSync('/proc/self/task').flatMap((task) =>
    read(`/proc/self/task/${task}/children`).split(' '),
  )
  return children
    .filter((pid) => pid && read(`/proc/${pid}/cmdline`).includes(ENTRY))
    .map((pid) => Number(/VmHWM:\s*(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0))
}

/** Processes come and go between two looks. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

const otherKb = () =>
  execFileSync('ps', ['-A', '-o', 'ppid=,rss=,command='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([parent, , ...command]) => Number(parent) === process.pid && command.join(' ').includes(ENTRY))
    .map(([, kb]) => Number(kb))

/** The most that a reader process of this process held while `work` ran, in MB. */
export async function peakOfReaders(work: () => Promise<unknown>): Promise<number> {
  let peak = readersMb()
  const look = setInterval(() => (peak = Math.max(peak, readersMb())), LOOK_EVERY_MS)
  await work().finally(() => clearInterval(look))
  return Math.max(peak, readersMb())
}
