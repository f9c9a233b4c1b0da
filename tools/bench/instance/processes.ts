import * as fs from 'node:fs'
import { pool } from '#lib/db/client'

const TICKS_PER_SECOND = 100

export type Process = { pid: number; parent: number; name: string; cpu_s: number; memory_mb: number }

/** Every process of the machine. Memory is the proportional share (PSS), so that memory shared by Postgres counts once. */
function processes(): Process[] {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = fs.readFileSync(`/proc/${name}/stat`, 'utf8')
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        const shares = fs.readFileSync(`/proc/${name}/smaps_rollup`, 'utf8')
        const command = fs.readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
        return {
          pid: Number(name),
          parent: Number(fields[1]),
          name: processName(command),
          cpu_s: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
          memory_mb: Number(/^Pss:\s+(\d+)/m.exec(shares)?.[1] ?? 0) / 1024,
        }
      } catch {
        // The process ended while it was being read.
        return []
      }
    })
}

function processName(command: string): string {
  if (command.includes('postgres')) return 'Postgres'
  if (command.includes('lib/engine/')) return 'engine'
  if (command.includes('sandbox-server')) return 'sandbox mail'
  if (command.includes('app/main')) return 'web'
  if (command.includes('inngest/')) return 'worker'
  if (command.includes('/reading/')) return 'reader'
  return command.includes('scripts/up') ? 'supervisor' : command.slice(0, 60)
}

/** The processes of one instance, by its supervisor. */
export function descendants(root: number): Process[] {
  const all = processes()
  const tree = all.filter((one) => one.pid === root)
  for (const one of tree) tree.push(...all.filter((other) => other.parent === one.pid))
  return tree
}

export const sum = (list: Process[], pick: (one: Process) => number) =>
  list.reduce((total, one) => total + pick(one), 0)

/** The machine's CPU time since its start, in core seconds. */
export function machineCpu(): number {
  const [, ...ticks] = (fs.readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/\s+/).map(Number)
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = ticks
  return (user + nice + system + irq + softirq) / TICKS_PER_SECOND
}

/** The CPU time of Postgres since its start, including ended processes, in milliseconds. */
export async function postgresCpu(): Promise<number> {
  const { rows } = await pool().query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const stat = (pid: string) => {
    const text = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
  }
  const parent = stat(`${rows[0]?.pid}`)[1] ?? 0
  let ticks = 0
  for (const pid of fs.readdirSync('/proc').filter((name) => Number(name) > 0)) {
    const fields = (() => {
      try {
        return stat(pid)
      } catch {
        return []
      }
    })()
    const [utime = 0, stime = 0, cutime = 0, cstime = 0] = fields.slice(11, 15)
    if (Number(pid) === parent) ticks += cutime + cstime
    if (Number(pid) === parent || fields[1] === parent) ticks += utime + stime
  }
  return (ticks / TICKS_PER_SECOND) * 1000
}
