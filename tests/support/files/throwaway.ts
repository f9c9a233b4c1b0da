import * as fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type EmbeddedPostgres, startPostgres } from '#lib/db/embedded'
import { freePort } from '#lib/db/free-port'
import { inspectProcess } from '#lib/db/processes'

const PREFIX = 'opener-test-'
/** A file system in memory on Linux, and its type in the answer of statfs. */
const MEMORY = '/dev/shm'
const TMPFS = 0x01021994
/** Far above what the databases of a whole run need. */
const ENOUGH_BYTES = 4 * 1024 ** 3

/**
 * Where databases of tests are kept: in memory, where that exists and has room. A database is more than a thousand files, and
 * copying them on a disk takes longer than most test files.
 */
export function quickestPlace(): string {
  try {
    fs.accessSync(MEMORY, fs.constants.W_OK)
    const { type, bavail, bsize } = fs.statfsSync(MEMORY)
    const free = Math.min(bavail * bsize, process.availableMemory())
    if (type === TMPFS && free > ENOUGH_BYTES) return MEMORY
  } catch {
    // Not Linux, or not accessible to us.
  }
  return os.tmpdir()
}

/** Makes a folder that lives as long as this process; folders of killed runs are removed first. */
export function throwawayFolder(place = os.tmpdir()): string {
  for (const name of fs.readdirSync(place)) {
    const folder = path.join(place, name)
    if (name.startsWith(PREFIX) && isAbandoned(folder)) removeThrowaway(folder)
  }
  const folder = fs.mkdtempSync(path.join(place, PREFIX))
  // A run as root starts Postgres under another account, which must be able to enter.
  fs.chmodSync(folder, 0o755)
  fs.writeFileSync(path.join(folder, 'owner.json'), JSON.stringify({ pid: process.pid, ...self() }))
  return folder
}

/** A Postgres for tests on a free port: it forgets on a crash and is removed by `stop`. */
export async function throwawayPostgres(
  settings: Record<string, string> = {},
  place?: string,
): Promise<EmbeddedPostgres & { folder: string }> {
  const folder = throwawayFolder(place)
  const fast = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '300' }
  const port = await freePort()
  const postgres = await startPostgres({ folder, port, settings: { ...fast, ...settings } })
  const stop = async () => {
    await postgres.stop()
    removeThrowaway(folder)
  }
  return { ...postgres, folder, stop }
}

function isAbandoned(folder: string): boolean {
  if (fs.statSync(folder, { throwIfNoEntry: false })?.uid !== process.getuid?.()) return false
  try {
    const owner = JSON.parse(fs.readFileSync(path.join(folder, 'owner.json'), 'utf8'))
    return inspectProcess(owner.pid)?.started !== owner.started
  } catch {
    // Without an owner file the folder is being made right now, unless it is older than an hour.
    return Date.now() - (fs.statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > 3_600_000
  }
}

/** Also kills the server that still runs there. */
export function removeThrowaway(folder: string) {
  const { home } = JSON.parse(readIfThere(path.join(folder, 'postgres.json')) || '{}')
  if (home) {
    const pid = Number(readIfThere(path.join(home, 'cluster/postmaster.pid')).split('\n')[0])
    if (inspectProcess(pid)?.command.includes(home)) process.kill(pid, 'SIGKILL')
    fs.rmSync(home, { recursive: true, force: true })
  }
  fs.rmSync(folder, { recursive: true, force: true })
}

function readIfThere(file: string): string {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''
}

function self() {
  return { started: inspectProcess(process.pid)?.started }
}
