import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import path from 'node:path'
import { inspectProcess } from '#lib/db/processes'

export type Holder = { pid: number; started: string }

/** Identifies this process, so that a later one can tell it from another with the same pid. */
export function self(pid = process.pid): Holder {
  return { pid, started: inspectProcess(pid)?.started ?? '' }
}

export function isRunning({ pid, started }: Holder): boolean {
  return inspectProcess(pid)?.started === started
}

/**
 * Takes the lock `file` for this process, or returns its holder. A lock whose holder is gone (kill -9, power cut, restarted
 * container) is taken over.
 */
export function takeLock(file: string): { release(): void } | { heldBy: Holder } {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const draft = `${file}.${randomUUID()}`
  try {
    // On a full disk the incomplete file is removed.
    fs.writeFileSync(draft, JSON.stringify(self()), { mode: 0o600 })
    for (;;) {
      // A link appears with its content or not at all, and never replaces another.
      if (link(draft, file)) return { release: () => fs.rmSync(file, { force: true }) }
      const heldBy = readHolder(file)
      if (heldBy && isRunning(heldBy)) return { heldBy }
      clearStale(file)
    }
  } finally {
    fs.rmSync(draft, { force: true })
  }
}

/** Takes the lock as soon as its holder releases it or dies; `waiting` is called once if it must wait. */
export async function waitForLock(file: string, waiting: () => void): Promise<{ release(): void }> {
  for (let told = false; ; told = true) {
    const lock = takeLock(file)
    if ('release' in lock) return lock
    if (!told) waiting()
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}

function link(from: string, to: string): boolean {
  try {
    fs.linkSync(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function readHolder(file: string): Holder | null {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

/** The file is moved aside before it is checked: if two processes find it stale, only one removes it, and never a new lock. */
function clearStale(file: string) {
  const aside = `${file}.${randomUUID()}`
  try {
    fs.renameSync(file, aside)
  } catch {
    return
  }
  const moved = readHolder(aside)
  if (moved && isRunning(moved)) link(aside, file)
  fs.rmSync(aside, { force: true })
}
