import { type ChildProcess, fork } from 'node:child_process'
import { Socket } from 'node:net'
import type { Worker } from 'node:worker_threads'
import type { FromReader, Host, HostEnd } from '#lib/providers/reader/port'

const SAID_CHARS = 2_000

/** Environment variables passed on to a reader. None is a secret, so nothing that an untrusted file does there can reveal one. */
const HANDED_ON = ['PATH', 'TZ', 'LANG', 'TMPDIR', 'SystemRoot', 'NODE_COMPILE_CACHE']

/** The cause of an ending, by signal: those of watch.ts, or V8 out of memory. */
const CAUSES: Partial<Record<NodeJS.Signals, HostEnd['cause']>> = {
  SIGUSR2: 'over_memory',
  SIGABRT: 'over_memory',
  SIGVTALRM: 'over_time',
}
const ABORTED = 134

const alive = new Set<ChildProcess>()
let isListening = false

/** A reader that is busy notices the end of its parent a second later; a parent that exits normally ends it at once. */
function endedAtExit(child: ChildProcess) {
  alive.add(child)
  if (isListening) return
  isListening = true
  process.once('exit', () => {
    for (const one of alive) one.kill('SIGKILL')
  })
}

/** V8's limits for the heap in total and for its young generation. */
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
    // A host that has just ended reports that by onEnd.
    send: (message) => void (!isOver && child.connected && child.send(message, () => undefined)),
    // Only our own reader writes to this channel.
    onMessage: (hear) => void child.on('message', (message) => hear(message as FromReader)),
    onEnd: (hear) => void endsWith.then(hear),
    kill,
    hold(isHeld) {
      const stderr = child.stderr instanceof Socket ? child.stderr : null
      for (const part of [child, child.channel, stderr]) isHeld ? part?.ref?.() : part?.unref?.()
    },
  }
}

/** For platforms where no process may be started. A full heap ends only the thread. */
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
