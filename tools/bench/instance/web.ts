import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#lib/db/free-port'
import { WEB_ARGS } from '#scripts/up/services'

const ROOT = path.resolve(import.meta.dirname, '../../..')

type Web = { url: string; pid: number; stop: () => Promise<void> }

/** Starts the app's existing production build, by default with the arguments of `npm run up`. */
export async function startWeb(args: readonly string[] = WEB_ARGS): Promise<Web> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...process.env,
    NODE_ENV: 'production' as const,
    NEXT_TELEMETRY_DISABLED: '1',
    NEXTAUTH_SECRET: 'a secret of the bench, and of nothing else',
    NEXTAUTH_URL: url,
    APP_URL: url,
    HOST: '127.0.0.1',
    PORT: `${port}`,
    RATE_LIMIT_READ: '100000000',
  }
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd: ROOT,
    env,
    stdio: 'ignore',
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  for (let tries = 0; ; tries++) {
    const isUp = await fetch(`${url}/api/v1/health`).then(
      () => true,
      () => false,
    )
    if (isUp) break
    if (tries > 600 || child.exitCode !== null) throw new Error('The web server does not start.')
    await sleep(100)
  }
  return {
    url,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}
