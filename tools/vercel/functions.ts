import { type ChildProcess, fork } from 'node:child_process'
import * as fs from 'node:fs'
import path from 'node:path'

/** Most instances at a time; the least recently used one is ended to make room, as with cold starts on the host. */
const MOST_INSTANCES = 14

type Config = {
  handler: string
  filePathMap: Record<string, string>
  maxDuration?: number
  useWebApi?: boolean
}

export type Instance = { port: number; max_seconds: number }

type Kept = { child: ChildProcess; instance: Promise<Instance>; used: number; busy: number }

/**
 * The functions of a build output, each in a folder with exactly the files that its configuration names, and in its own process
 * that starts at the first request.
 */
export function makeFunctions(options: {
  /** The folder `functions` of the output. */
  output: string
  root: string
  folder: string
  env: Record<string, string>
  log: number
}) {
  const { output, root, folder, env, log } = options
  const kept = new Map<string, Kept>()
  const counts = { started: 0, asked: 0 }
  const names = new Set<string>()

  const resolveFolder = (name: string) => path.join(output, `${name}.func`)
  const exists = (name: string) => fs.existsSync(path.join(resolveFolder(name), '.vc-config.json'))

  /** Its files, as the host unpacks them: links never lead out of the folder. */
  function unpack(name: string, config: Config): string {
    const to = path.join(folder, encodeURIComponent(name))
    if (fs.existsSync(to)) return to
    const place = (file: string, from: string) => {
      const target = path.join(to, file)
      fs.mkdirSync(path.dirname(target), { recursive: true })
      if (fs.lstatSync(from).isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(from), target)
      else fs.linkSync(from, target)
    }
    for (const [file, from] of Object.entries(config.filePathMap)) place(file, path.join(root, from))
    for (const file of fs.readdirSync(resolveFolder(name), { recursive: true, withFileTypes: true }))
      if (!file.isDirectory() && file.name !== '.vc-config.json') {
        const from = path.join(file.parentPath, file.name)
        place(path.relative(resolveFolder(name), from), from)
      }
    return to
  }

  function start(name: string): Kept {
    const config: Config = JSON.parse(
      fs.readFileSync(path.join(resolveFolder(name), '.vc-config.json'), 'utf8'),
    )
    const kind = config.useWebApi ? 'web' : 'node'
    const child = fork(
      path.join(import.meta.dirname, 'instance.ts'),
      [unpack(name, config), config.handler, kind],
      {
        env: { NODE_ENV: 'production', PATH: process.env.PATH ?? '', ...env },
        stdio: ['ignore', log, log, 'ipc'],
      },
    )
    counts.started += 1
    names.add(name)
    const instance = new Promise<Instance>((resolve, reject) => {
      child.once('message', (message) =>
        resolve({ port: (message as { port: number }).port, max_seconds: config.maxDuration ?? 300 }),
      )
      child.once('exit', (code) => {
        kept.delete(name)
        reject(new Error(`The function ${name} ended (exit ${code}).`))
      })
    })
    // The waiting callers get the error; an instance that ends later is restarted.
    instance.catch(() => undefined)
    return { child, instance, used: 0, busy: 0 }
  }

  function makeRoom() {
    if (kept.size < MOST_INSTANCES) return
    const [oldest] = [...kept].filter(([, one]) => one.busy === 0).toSorted((a, b) => a[1].used - b[1].used)
    if (!oldest) return
    kept.delete(oldest[0])
    oldest[1].child.kill()
  }

  /** Runs `work` with an instance of the function. */
  async function use<T>(name: string, work: (instance: Instance) => Promise<T>): Promise<T> {
    let one = kept.get(name)
    if (!one) {
      makeRoom()
      one = start(name)
      kept.set(name, one)
    }
    one.used = ++counts.asked
    one.busy += 1
    try {
      return await work(await one.instance)
    } finally {
      one.busy -= 1
    }
  }

  return {
    exists,
    use,
    counts: () => ({ ...counts, functions: names.size }),
    stop: () => {
      for (const { child } of kept.values()) child.kill('SIGKILL')
      kept.clear()
    },
  }
}

export type Functions = ReturnType<typeof makeFunctions>
