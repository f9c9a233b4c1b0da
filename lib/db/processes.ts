import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * When a process started and what it runs, or null once it is gone. A pid alone proves nothing: after a crash or in a restarted container
 * another process may have it, so code that remembers a process must remember `started` too. Linux reads /proc (minimal images have no
 * `ps`), other systems run `ps`. A zombie counts as gone: it holds no port and no file.
 */
export function inspectProcess(pid: number): { started: string; command: string } | null {
  if (!Number.isInteger(pid) || pid <= 0) return null
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid)
}

function fromProc(pid: number) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the name in parentheses and may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return null
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
    return { started: `${bootId()}/${fields[19]}`, command }
  } catch {
    return null
  }
}

/** Start times count from boot: without the boot's id they would repeat after a restart. */
function bootId() {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
}

/** The length of a start time as `ps` prints it: `Sun Nov 22 12:00:00 2026`. */
const LSTART_CHARS = 24

function fromPs(pid: number) {
  try {
    const format = ['-o', 'lstart=', '-o', 'stat=', '-o', 'command=', '-p', String(pid)]
    const line = execFileSync('ps', format, { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } }).trim()
    const rest = line.slice(LSTART_CHARS).trimStart()
    const [state = ''] = rest.split(/\s/, 1)
    if (!state || state.startsWith('Z')) return null
    return { started: line.slice(0, LSTART_CHARS), command: rest.slice(state.length).trimStart() }
  } catch {
    return null
  }
}

/** Waits until `pid` is gone; false if it still runs after `timeoutMs`. */
export async function waitForExit(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (inspectProcess(pid)) {
    if (performance.now() > deadline) return false
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return true
}
