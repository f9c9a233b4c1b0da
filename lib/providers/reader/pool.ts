import { fairShare } from '#lib/providers/reader/fair-share'
import {
  type AnswerOf,
  type FromReader,
  type Host,
  type HostEnd,
  type InputOf,
  type Outcome,
  PARTS_AHEAD,
  type PartOf,
  type ReadOptions,
  type Tasks,
} from '#lib/providers/reader/port'

export type ReaderSettings = {
  /** Most hosts at a time; each is started when it is needed. */
  size: number
  /** The memory limit of a task, above what an idle host takes. */
  memory_mb: number
  /** An idle host is ended after this time; null: kept. */
  idle_ms: number | null
  /**
   * Limits shared with other processes: a place for a task of this owner, which is given back at the task's end, or null if
   * there is none. Requested only once this pool has room, so that nobody holds a place while waiting.
   */
  admit?: (owner: string) => Promise<GiveBack | null>
  /** `attempt` counts, from 0, the hosts of this pool that ended before they were ready. */
  start(attempt: number): Host
}

export type Reader<T extends Tasks> = {
  /** Starts a host if there is none, for a task that is about to come; it is ended later like any idle host. */
  warm(): void
  read<K extends keyof T & string>(
    kind: K,
    input: InputOf<T[K]>,
    options: ReadOptions,
  ): Promise<Outcome<AnswerOf<T[K]>>>
  /** Parts as they come, no faster than they are consumed; leaving the loop ends the task. */
  readParts<K extends keyof T & string>(
    kind: K,
    input: InputOf<T[K]>,
    options: ReadOptions,
  ): AsyncGenerator<PartOf<T[K]>, Outcome<AnswerOf<T[K]>>>
}

type GiveBack = () => Promise<void>

type Job = {
  id: number
  kind: string
  input: unknown
  options: ReadOptions
  arrived: { part?: unknown; end?: Outcome<unknown> }[]
  wake(): void
  /** The seat it runs in; absent while it waits. */
  seat?: Seat
  isSent: boolean
  refusals: number
  giveBack?: GiveBack
}

type Seat = {
  host: Host | null
  isReady: boolean
  job: Job | null
  begun: number
  room: number
  timer?: NodeJS.Timeout
}

/** Allows for loading its modules on a busy machine. */
const START_MS = 60_000
const STARTS = 3
/** The delay before a place is requested again, doubled each time. */
const PAUSE_MS = 250
const MOST_PAUSE_MS = 4_000

/**
 * Long-lived processes that parse untrusted content, one task at a time each. A task that exceeds its limits ends together with
 * its process, and the next task gets a new process.
 */
export function makeReader<T extends Tasks>(settings: ReaderSettings): Reader<T> {
  const share = fairShare<Job>()
  const seats = Array.from(
    { length: settings.size },
    (): Seat => ({ host: null, isReady: false, job: null, begun: 0, room: 0 }),
  )
  let lastId = 0
  let failedStarts = 0

  function begin() {
    // A running host first.
    for (const seat of seats.toSorted((a, b) => Number(b.host !== null) - Number(a.host !== null))) {
      if (seat.job) continue
      const turn = share.next(Date.now())
      if (!turn) return
      seat.job = turn.job
      turn.job.seat = seat
      if (settings.admit) void admit(seat, turn.job, settings.admit)
      else send(seat)
    }
  }

  async function admit(seat: Seat, job: Job, ask: NonNullable<ReaderSettings['admit']>) {
    const { owner } = job.options
    const answer = await ask(owner).catch((error: unknown) => ({ message: String(error) }))
    if (seat.job !== job) return void (typeof answer === 'function' && answer())
    if (typeof answer === 'function') {
      job.giveBack = answer
      return send(seat)
    }
    if (answer) return settle(seat, { outcome: 'absent', ...answer }, 0)
    const pause_ms = Math.min(MOST_PAUSE_MS, PAUSE_MS * 2 ** job.refusals++)
    seat.job = null
    delete job.seat
    share.holdOff(owner, job, Date.now() + pause_ms)
    setTimeout(begin, pause_ms + 1)
    begin()
  }

  function send(seat: Seat) {
    const { job } = seat
    if (!job) return
    job.isSent = true
    seat.host ??= start(seat)
    seat.host.hold(true)
    clearTimeout(seat.timer)
    if (!seat.isReady) {
      seat.timer = setTimeout(
        () => stop(seat, { outcome: 'absent', message: 'The reader did not start.' }),
        START_MS,
      )
      return
    }
    seat.begun = performance.now()
    seat.room = PARTS_AHEAD
    const { id, kind, input, options } = job
    seat.host.send({
      type: 'task',
      id,
      kind,
      input,
      limits: { memory_mb: settings.memory_mb, cpu_ms: options.cpu_ms ?? 0 },
    })
    awaitSign(seat)
  }

  function start(seat: Seat): Host {
    const host = settings.start(failedStarts)
    seat.isReady = false
    host.onMessage((message) => seat.host === host && hear(seat, message))
    host.onEnd((end) => seat.host === host && ended(seat, end))
    return host
  }

  /** Starts the deadline of a task; it is suspended while the task waits for its parts to be consumed. */
  function awaitSign(seat: Seat) {
    clearTimeout(seat.timer)
    if (!seat.job || seat.room === 0) return
    seat.timer = setTimeout(() => stop(seat, { outcome: 'over_time' }), seat.job.options.deadline_ms)
  }

  function hear(seat: Seat, message: FromReader) {
    if (message.type === 'ready') {
      seat.isReady = true
      failedStarts = 0
      // A job whose place is still being requested is sent once that is known.
      if (seat.job?.isSent) send(seat)
      return
    }
    const { job } = seat
    if (job?.id !== message.id) return
    if (message.type === 'part') {
      seat.room--
      awaitSign(seat)
      job.arrived.push({ part: message.part })
      return job.wake()
    }
    const { cpu_ms } = message
    if (message.grown) letGo(seat)
    if (message.type === 'done') settle(seat, { outcome: 'done', value: message.value, cpu_ms }, cpu_ms)
    else if (message.type === 'refused')
      settle(seat, { outcome: 'refused', code: message.code, message: message.message }, cpu_ms)
    else settle(seat, { outcome: 'died', message: message.message }, cpu_ms)
    if (message.grown) replace(seat)
  }

  function warm() {
    const [seat] = seats
    if (seat && seats.every(({ host }) => host === null)) replace(seat)
  }

  /** After previewing a large file a person usually imports it, and should not wait for a process to load its modules. */
  function replace(seat: Seat) {
    if (seat.host) return
    seat.host = start(seat)
    rest(seat)
  }

  function ended(seat: Seat, { cause, message }: HostEnd) {
    seat.host = null
    if (!seat.job?.isSent) return
    if (!seat.isReady && ++failedStarts < STARTS) return send(seat)
    if (!seat.isReady) return settle(seat, { outcome: 'absent', message }, 0)
    const outcome: Outcome<never> = cause === 'died' ? { outcome: 'died', message } : { outcome: cause }
    share.killed(seat.job.options.owner, Date.now())
    settle(seat, outcome, performance.now() - seat.begun)
  }

  function stop(seat: Seat, outcome: Outcome<never>) {
    if (seat.job && seat.isReady) share.killed(seat.job.options.owner, Date.now())
    letGo(seat)
    settle(seat, outcome, performance.now() - seat.begun)
  }

  function letGo(seat: Seat) {
    seat.host?.hold(false)
    seat.host?.kill()
    seat.host = null
  }

  function settle(seat: Seat, end: Outcome<unknown>, cost_ms: number) {
    const { job } = seat
    if (!job) return
    clearTimeout(seat.timer)
    seat.job = null
    job.arrived.push({ end })
    job.wake()
    rest(seat)
    const over = () => {
      share.ended(job.options.owner, cost_ms)
      begin()
    }
    if (!job.giveBack) return over()
    // The owner's next job needs this place, so it waits; other owners need not.
    job.giveBack().then(over, over)
    begin()
  }

  function rest(seat: Seat) {
    seat.host?.hold(false)
    if (settings.idle_ms === null || !seat.host) return
    seat.timer = setTimeout(() => !seat.job && letGo(seat), settings.idle_ms).unref()
  }

  /** The caller no longer waits for the result, which is no fault of the owner. */
  function abandon(job: Job) {
    if (share.remove(job.options.owner, job)) return
    const { seat } = job
    if (seat?.job !== job) return
    if (job.isSent) letGo(seat)
    settle(seat, { outcome: 'died', message: 'Nobody waits for it.' }, performance.now() - seat.begun)
  }

  async function* readParts(
    kind: string,
    input: unknown,
    options: ReadOptions,
  ): AsyncGenerator<never, never> {
    const job: Job = {
      id: ++lastId,
      kind,
      input,
      options,
      arrived: [],
      wake: () => {},
      isSent: false,
      refusals: 0,
    }
    let isOver = false
    share.add(options.owner, job)
    begin()
    try {
      for (;;) {
        const next = job.arrived.shift()
        if (!next) {
          await new Promise<void>((resolve) => {
            job.wake = resolve
          })
          continue
        }
        if (next.end) {
          isOver = true
          // The answer that crossed processes belongs to task `kind`; its type follows from `Reader`.
          return next.end as never
        }
        yield next.part as never
        const { seat } = job
        if (seat?.job !== job) continue
        seat.room++
        seat.host?.send({ type: 'more', id: job.id })
        awaitSign(seat)
      }
    } finally {
      if (!isOver) abandon(job)
    }
  }

  async function read(kind: string, input: unknown, options: ReadOptions): Promise<never> {
    const parts = readParts(kind, input, options)
    for (;;) {
      const next = await parts.next()
      if (next.done) return next.value
    }
  }
  return { read, readParts, warm }
}
