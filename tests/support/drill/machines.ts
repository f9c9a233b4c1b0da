import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import path from 'node:path'
import { inspectProcess } from '#lib/db/processes'
import { readRunFile } from '#scripts/up/run-file'
import { ROOT } from '#scripts/up/settings'

type Options = {
  name: string
  role: 'web' | 'engine'
  port: number
  folder: string
  env: Record<string, string>
}

/** One machine of a divided instance: `npm run up` with its ROLE, a data folder and ports of its own. */
export function drillMachine({ name, role, port, folder, env }: Options) {
  const dataFolder = path.join(folder, name)
  let supervisor: ChildProcess | undefined

  async function start(): Promise<void> {
    fs.mkdirSync(dataFolder, { recursive: true })
    const log = path.join(dataFolder, 'up.log')
    const given = {
      ...process.env,
      ...env,
      ROLE: role,
      PORT: `${port}`,
      HOST: '127.0.0.1',
      DATA_DIR: dataFolder,
    }
    const child = spawn(process.execPath, ['scripts/up.ts'], {
      cwd: ROOT,
      env: given,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    supervisor = child
    await new Promise<void>((resolve, reject) => {
      let said = ''
      const hear = (data: Buffer) => {
        said += data
        fs.appendFileSync(log, data)
        if (/^Ready: /m.test(said)) resolve()
      }
      child.stdout?.on('data', hear)
      child.stderr?.on('data', hear)
      child.once('exit', (code) => reject(new Error(`${name} did not start (exit ${code}):\n${said}`)))
    })
  }

  /** SIGKILL to the supervisor and everything it started: no process can shut down cleanly. */
  function kill(): void {
    const children = Object.values(readRunFile(dataFolder)?.children ?? {})
    for (const pid of [supervisor?.pid, ...children.map((child) => child.pid)])
      if (pid && inspectProcess(pid)) process.kill(pid, 'SIGKILL')
  }

  async function stop(): Promise<void> {
    if (!supervisor?.pid || supervisor.exitCode !== null || supervisor.signalCode !== null) return
    const ended = once(supervisor, 'exit')
    supervisor.kill('SIGTERM')
    await ended
  }

  return { name, role, dataFolder, url: `http://127.0.0.1:${port}`, start, kill, stop }
}

export type Machine = ReturnType<typeof drillMachine>
