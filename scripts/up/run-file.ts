import * as fs from 'node:fs'
import path from 'node:path'
import { waitForExit } from '#lib/db/processes'
import { type Holder, isRunning } from '#scripts/up/lock'
import { writePrivately } from '#scripts/up/secrets'

/** The content of `DATA_DIR/run.json` about the running instance; it holds secrets, so only its owner may read it. */
export type RunFile = Holder & {
  url: string
  port: number
  children: Record<string, Holder>
  /** The environment of its processes, in addition to the inherited one. */
  env: Record<string, string>
}

const runFilePath = (dataFolder: string) => path.join(dataFolder, 'run.json')

/** Never creates the folder: one that was removed while its instance runs would look like that of a new instance. */
export function writeRunFile(dataFolder: string, run: RunFile) {
  if (!fs.existsSync(dataFolder)) throw new Error(`${dataFolder} was removed.`)
  writePrivately(runFilePath(dataFolder), run)
}

/**
 * Writes it whenever children have changed. A failure (a full disk) is reported once and retried until it succeeds; the running
 * processes are not affected.
 */
export function runFileKeeper(dataFolder: string, say: (line: string) => void, again_ms = 15_000) {
  let timer: NodeJS.Timeout | undefined
  let isTroubled = false
  const keep = (read: () => RunFile) => {
    clearTimeout(timer)
    try {
      writeRunFile(dataFolder, read())
      if (isTroubled) say(`${runFilePath(dataFolder)} is written again.`)
      isTroubled = false
    } catch (error) {
      const why = error instanceof Error ? error.message : error
      if (!isTroubled) say(`${runFilePath(dataFolder)} cannot be written, and is tried again: ${why}`)
      isTroubled = true
      timer = setTimeout(keep, again_ms, read)
    }
  }
  return { keep, end: () => clearTimeout(timer) }
}

export function removeRunFile(dataFolder: string) {
  fs.rmSync(runFilePath(dataFolder), { force: true })
}

/** The instance that runs on this data folder, or null. */
export function readRunFile(dataFolder: string): RunFile | null {
  const run = parse(dataFolder)
  return run && isRunning(run) ? run : null
}

/** Whether DATABASE_URL names another database than the instance's: an explicit setting takes precedence over a running instance. */
export function isElsewhere(run: RunFile, given: string | undefined): boolean {
  return Boolean(given) && given !== run.env.DATABASE_URL
}

/** Waits for processes that a killed supervisor left behind, which stop by themselves, and kills those that do not. */
export async function endLeftOvers(dataFolder: string): Promise<void> {
  const run = parse(dataFolder)
  for (const child of Object.values(run?.children ?? {})) {
    if (!isRunning(child)) continue
    process.kill(child.pid, 'SIGTERM')
    if (!(await waitForExit(child.pid, 8000))) process.kill(child.pid, 'SIGKILL')
    await waitForExit(child.pid, 2000)
  }
  removeRunFile(dataFolder)
}

/** A damaged file counts as missing. The processes it named end by themselves, since they notice that their supervisor is gone. */
function parse(dataFolder: string): RunFile | null {
  const file = runFilePath(dataFolder)
  if (!fs.existsSync(file)) return null
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
