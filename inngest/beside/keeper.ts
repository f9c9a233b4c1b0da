import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http'

/** A second process that answers the engine's calls in place of this one. */
export type SideProcess = {
  /** Its port on this machine, once it listens. */
  port(): number | null
  /** The share of time it spent computing, as last reported. */
  busy(): number
  /** Asks it to stop. */
  end(): void
}

type Options = {
  /** Starts one; `over` is called when it has ended, for whatever reason. */
  start(over: () => void): SideProcess
  /** The share of time this process spent computing since the last call. */
  busy(): number
  answerHere(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** A monotonic clock in milliseconds. */
  now(): number
}

export const LOOK_MS = 5_000
/** Share of one core over two looks that starts a second process: about fifty emails a second, each claimed by itself. */
const BUSY = 0.25
const BUSY_LOOKS = 2
/** How long it stays for the next burst of work. One that died is not restarted for as long, since that would cost more than it saves. */
const STAYS_MS = 10 * 60_000

/**
 * Handles the engine's calls in this process while they cause little load, and in a second process while they cause much, so that pages do
 * not wait for emails to be composed. A call ends in the process it began in; if that dies, the engine sees an interrupted call.
 */
export function keepSideProcess({ start, busy, answerHere, now }: Options) {
  let beside: SideProcess | null = null
  let busyLooks = 0
  let until = 0
  let notBefore = 0
  let calls = 0
  let underWay = 0
  let forwarded = 0
  let timer: NodeJS.Timeout | undefined

  function rest(): null {
    notBefore = now() + STAYS_MS
    return null
  }

  function begin(): SideProcess | null {
    try {
      const begun = start(() => {
        if (beside === begun) beside = rest()
      })
      return begun
    } catch {
      // Forking fails at once on a machine without memory for another process.
      return rest()
    }
  }

  function end(): void {
    beside?.end()
    beside = null
  }

  /** Looking ends while there are no calls and no second process. */
  function look(): void {
    busyLooks = busy() + (beside?.busy() ?? 0) > BUSY ? busyLooks + 1 : 0
    if (busyLooks >= BUSY_LOOKS) {
      until = now() + STAYS_MS
      if (now() >= notBefore) beside ??= begin()
    }
    if (now() > until && forwarded === 0) end()
    const isQuiet = calls === 0 && underWay === 0
    calls = 0
    if (beside || !isQuiet) return
    clearInterval(timer)
    timer = undefined
    busyLooks = 0
  }

  function startLooking(): void {
    // Resets the meter: the time before this is not measured.
    busy()
    timer = setInterval(look, LOOK_MS).unref()
  }

  return {
    async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
      calls += 1
      underWay += 1
      response.once('close', () => {
        underWay -= 1
      })
      if (!timer) startLooking()
      const port = request.method === 'POST' && now() <= until ? beside?.port() : null
      if (!port) return answerHere(request, response)
      forwarded += 1
      response.once('close', () => {
        forwarded -= 1
      })
      forward(request, response, port)
    },
    /** Calls under way in the second process finish there; their callers wait for them, as for calls in this process. */
    stop(): void {
      clearInterval(timer)
      end()
    },
  }
}

/** Hop-by-hop headers, which concern only the connection to the second process. */
const OURS = ['connection', 'keep-alive', 'transfer-encoding']

function forward(request: IncomingMessage, response: ServerResponse, port: number): void {
  const { method, url: path, headers } = request
  const asked = ask({ host: '127.0.0.1', port, method, path, headers, agent: false }, (answer) => {
    for (const [name, value] of Object.entries(answer.headers))
      if (value !== undefined && !OURS.includes(name)) response.setHeader(name, value)
    response.writeHead(answer.statusCode ?? 502)
    answer.once('error', () => response.destroy())
    answer.pipe(response)
  })
  let isThere = false
  asked.on('socket', (socket) =>
    socket.once('connect', () => {
      isThere = true
    }),
  )
  asked.on('error', () => {
    if (response.headersSent) return
    // Whether the call ran is unknown, so the connection is closed without a response; a response that has begun breaks off too.
    if (isThere) response.destroy()
    // It is stopping and accepts nothing more: the engine repeats the call, without using up an attempt.
    else response.writeHead(503, { connection: 'close' }).end()
  })
  response.once('close', () => asked.destroy())
  request.pipe(asked)
}
