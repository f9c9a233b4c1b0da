import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { waitForExit } from '#lib/db/processes'
import { ROOT } from '#scripts/up/settings'
import { Trouble } from '#scripts/up/trouble'

const END_WITH_START = pathToFileURL(path.join(ROOT, 'scripts/up/end-with-start.mjs')).href
const ENDS_WITHIN_MS = 8_000

const underWay = new Set<ChildProcess>()

/**
 * Prints nothing unless it fails; then the end of its output. Returns its output. The child ends with this process even if that
 * is killed: a build that went on alone would write into `.next` while the next start builds there.
 */
export async function runQuietly(args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(process.execPath, ['--import', END_WITH_START, ...args], {
    cwd: ROOT,
    env: { ...env, NEXT_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  underWay.add(child)
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (data: string) => {
      said[name] += data
    })
  const ended = Promise.withResolvers<string | null>()
  child.once('error', ended.reject)
  child.once('close', (code, signal) => ended.resolve(code === 0 ? null : (signal ?? `exit ${code}`)))
  try {
    const fault = await ended.promise
    if (fault === null) return said.stdout
    const words = `${said.stdout}${said.stderr}`.trim().slice(-6000)
    throw new Trouble(`${args.slice(0, 2).join(' ')} failed:\n${words || fault}`)
  } finally {
    underWay.delete(child)
  }
}

/** Ends the quiet child that is running, and waits until it is gone. */
export async function endQuietly(): Promise<void> {
  const end = async (child: ChildProcess) => {
    child.kill('SIGTERM')
    if (child.pid && !(await waitForExit(child.pid, ENDS_WITHIN_MS))) child.kill('SIGKILL')
  }
  await Promise.all([...underWay].map(end))
}

/** Kills it at once, without waiting. */
export function killQuietly(): void {
  for (const child of underWay) child.kill('SIGKILL')
}
