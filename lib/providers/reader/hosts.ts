import { type ChildProcess, fork } from 'node:child_process'
import { Socket } from 'node:net'
import type { Worker } from 'node:worker_threads'
import type { FromReader, Host, HostEnd } from '#lib/providers/reader/port'

const SAID_CHARS = 2_000

/** Handed on to a reader; it gets no secret, so nothing that a stranger's words do there can tell one. */
const HANDED_ON = ['PATH', 'TZ', 'LANG', 'TMPDIR', 'SystemRoot', 'NODE_COMPILE_CACHE']

/** What ends it says why: the signals of watch.ts, or V8 with nothing left. */
const CAUSES: Partial<Record<NodeJS.Signals, HostEnd['cause']>> = {
  SIGUSR2: 'over_memory',
  SIGABRT: 'over_memory',
  SIGVTALRM: 'over_time',
}
const ABORTED = 134

const alive = new Set<ChildProcess>()
let isListening = false

/** A reader that is deaf hears of its parent's end a second later; one that ends in order takes it along. */
function endedAtExit(child: ChildProcess) {
  alive.add(child)
  if (isListening) return
  isListening = true
  process.once('exit', () => {
    for (const one of alive) one.kill('SIGKILL')
  })
}

/** What V8 may keep in all, and of what is new. */
type Heap = { heap_mb: number; young_mb: number }

export function childHost(entry: string, args: string[], { heap_mb, young_mb }: Heap): Host {
  const env: NodeJS.ProcessEnv = { NODE_ENV: process.env.NODE_ENV }
  for (const name of HANDED_ON) if (process.env[name]) env[name] = process.env[name]
  const child = fork(entry, args, {
    env,
    execArgv: [
      `--max-old-space-size=${heap_mb}`,
      `--max-semi-space-size=${young_mb}`,
      '--disable-warning=ExperimentalWarning',
    ],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let said = ''
  child.stderr?.on('data', (piece) => {
    said = `${said}${piece}`.slice(-SAID_CHARS)
  })
  let isOver = false
  const endsWith = new Promise<HostEnd>((resolve) => {
    child.once('error', (error) => resolve({ cause: 'died', message: error.message }))
    child.once('exit', (code, signal) => {
      const cause = (signal && CAUSES[signal]) ?? (code === ABORTED ? 'over_memory' : 'died')
      resolve({ cause, message: said.trim() || `The reader ended (${signal ?? `exit ${code}`}).` })
    })
  })
  const kill = () => void child.kill('SIGKILL')
  endedAtExit(child)
  endsWith.then(() => {
    isOver = true
    alive.delete(child)
  })
  return {
    // Ended a moment ago: its end is told by onEnd.
    send: (message) => void (!isOver && child.connected && child.send(message, () => undefined)),
    // Nobody else speaks on this channel: at its other end is our own reader.
    onMessage: (hear) => void child.on('message', (message) => hear(message as FromReader)),
    onEnd: (hear) => void endsWith.then(hear),
    kill,
    hold(isHeld) {
      const stderr = child.stderr instanceof Socket ? child.stderr : null
      for (const part of [child, child.channel, stderr]) isHeld ? part?.ref?.() : part?.unref?.()
    },
  }
}

/** Where no process may be started. A heap that is full ends the thread alone. */
export function threadHost(worker: Worker): Host {
  const endsWith = new Promise<HostEnd>((resolve) => {
    worker.once('error', (error: NodeJS.ErrnoException) =>
      resolve({
        cause: error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'over_memory' : 'died',
        message: error.message,
      }),
    )
    worker.once('exit', (code) => resolve({ cause: 'died', message: `The reader ended (exit ${code}).` }))
  })
  return {
    send: (message) => worker.postMessage(message),
    onMessage: (hear) => void worker.on('message', hear),
    onEnd: (hear) => void endsWith.then(hear),
    kill: () => void worker.terminate(),
    hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
  }
}
