import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http'

/** A process that answers calls of the engine in place of this one. */
export type Beside = {
  /** Where on this machine, once it listens. */
  port(): number | null
  /** Which part of the time it computed, when it last said so. */
  busy(): number
  /** Asks it to stop. */
  end(): void
}

type Options = {
  /** Starts one; `over` is called when it has ended, whoever ended it. */
  start(over: () => void): Beside
  /** Which part of the time this process computed since it was last asked. */
  busy(): number
  answerHere(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** In milliseconds, from any instant, and never back. */
  now(): number
}

export const LOOK_MS = 5_000
/** Of one core, over two looks: some fifty emails a second, each claimed for itself. */
const BUSY = 0.25
const BUSY_LOOKS = 2
/** What comes in bursts finds it still there. One that died is not begun anew for as long: it would cost more than it spares. */
const STAYS_MS = 10 * 60_000

/**
 * Answers the calls of the engine here as long as they are little work, and in a process beside this one while they are much: nobody who
 * opens a page waits until emails are composed. A call stays where it began. What its process left open when it died, the engine
 * takes for what it is, a call that was cut off.
 */
export function keepSideProcess({ start, busy, answerHere, now }: Options) {
  let beside: Beside | null = null
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

  function begin(): Beside | null {
    try {
      const begun = start(() => {
        if (beside === begun) beside = rest()
      })
      return begun
    } catch {
      // A machine without memory for another process refuses it here and now.
      return rest()
    }
  }

  function end(): void {
    beside?.end()
    beside = null
  }

  /** Nobody looks while nothing goes on. */
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
    // What went before it is not what is measured.
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
    /** Its calls end as those here do: they are waited for by whoever made them. */
    stop(): void {
      clearInterval(timer)
      end()
    },
  }
}

/** Hop by hop, so not the other's to say. */
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
  // Whether it ran is not known: so there is no answer, and none is made up. One that has begun ends as it does there.
  asked.on('error', () => {
    if (!response.headersSent) response.destroy()
  })
  response.once('close', () => asked.destroy())
  request.pipe(asked)
}
