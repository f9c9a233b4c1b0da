import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

const ENTRY = 'services/reading/main.ts'
const LOOK_EVERY_MS = 20

/** Memory in MB of the largest reader process of this process, or its peak where the system records one. */
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

/** Empty where the process has ended between two reads. */
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

/** The peak memory in MB of a reader process of this process while `work` ran. */
export async function peakOfReaders(work: () => Promise<unknown>): Promise<number> {
  let peak = readersMb()
  const look = setInterval(() => (peak = Math.max(peak, readersMb())), LOOK_EVERY_MS)
  await work().finally(() => clearInterval(look))
  return Math.max(peak, readersMb())
}
