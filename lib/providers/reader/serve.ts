import module from 'node:module'
import * as os from 'node:os'
import { parentPort, Worker } from 'node:worker_threads'
import {
  type FromReader,
  type Limits,
  PARTS_AHEAD,
  type Tasks,
  type ToReader,
} from '#lib/providers/reader/port'

type Refusal = { code: string; message: string }

type Serving = {
  /** A process that grew by more than this is not kept for another task. */
  kept_growth_mb: number
  /** Distinguishes a refusal from a fault. */
  refusal: (error: unknown) => Refusal | null
}

/** The reader's side: runs one task at a time and reports what it took. */
export function serve(tasks: Tasks, { kept_growth_mb, refusal }: Serving): void {
  const { listen, post } = parentPort ? threadPort(parentPort) : processPort()
  const watch = parentPort ? { begin: () => undefined, end: () => undefined } : watchProcess()
  const rest = process.memoryUsage.rss()
  let room = PARTS_AHEAD
  let onRoom = () => {}

  async function hand(id: number, part: unknown) {
    while (room === 0) await new Promise<void>((resolve) => (onRoom = resolve))
    room--
    post({ type: 'part', id, part })
  }

  async function work({ id, kind, input, limits }: Extract<ToReader, { type: 'task' }>) {
    room = PARTS_AHEAD
    const before = cpuMs()
    watch.begin({
      memory_mb: rest / 1_000_000 + limits.memory_mb,
      cpu_ms: limits.cpu_ms && before + limits.cpu_ms,
    })
    const took = () => {
      watch.end()
      const grown = process.memoryUsage.rss() - rest > kept_growth_mb * 1_000_000
      return { id, cpu_ms: cpuMs() - before, grown }
    }
    try {
      const task = tasks[kind]
      if (!task) throw new Error(`The reader knows no task ${kind}.`)
      // Both ends use the same table of tasks, so the input has this task's type.
      const value = await task(input as never, (part: unknown) => hand(id, part))
      post({ type: 'done', value, ...took() })
    } catch (error) {
      const refused = refusal(error)
      if (refused) post({ type: 'refused', ...refused, ...took() })
      else
        post({ type: 'broken', message: error instanceof Error ? error.message : String(error), ...took() })
    }
  }

  listen((message) => {
    if (message.type === 'task') return void work(message)
    room++
    onRoom()
  })
  post({ type: 'ready' })
  // The process ends by being killed, so the compile cache is written now, for processes that start after it.
  setImmediate(() => module.flushCompileCache?.())
}

function threadPort(port: NonNullable<typeof parentPort>) {
  return {
    listen: (hear: (message: ToReader) => void) => void port.on('message', hear),
    post: (message: FromReader) => port.postMessage(message),
  }
}

function processPort() {
  // Ctrl-C reaches the whole process group; the parent ends its readers when its own work is done.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  process.on('disconnect', () => process.exit(0))
  // People wait for pages; nobody notices a file that takes a little longer.
  os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL)
  return {
    listen: (hear: (message: ToReader) => void) => void process.on('message', hear),
    post: (message: FromReader) => void process.send?.(message),
  }
}

function watchProcess() {
  const state = new Int32Array(new SharedArrayBuffer(12))
  const watcher = new Worker(new URL('./watch.ts', import.meta.url), {
    workerData: { state, parent: process.ppid },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  })
  watcher.unref()
  /** The number of the running task, 0 between two. */
  const set = (task: number) => {
    Atomics.store(state, 0, task)
    Atomics.notify(state, 0)
  }
  let tasks = 0
  return {
    begin(limits: Limits) {
      state[1] = limits.memory_mb
      state[2] = limits.cpu_ms
      set(++tasks)
    },
    end: () => set(0),
  }
}

/** In a thread, the time of the whole process is not that of the task. */
function cpuMs(): number {
  const { user, system } = parentPort ? process.threadCpuUsage() : process.cpuUsage()
  return (user + system) / 1_000
}
