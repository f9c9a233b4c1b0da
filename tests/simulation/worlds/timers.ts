/**
 * Timers of the code under test fire only when the stage lets them. A short one (a group that waits for more outcomes) may
 * fire at any moment; a long one (a heartbeat) only once the virtual clock has reached it.
 */
export type Timer = { id: number; actor: string; due: number; every: number | null; call: () => void }

const SHORT_MS = 10_000

export type Timers = {
  ready(now: number): Timer[]
  fire(timer: Timer, now: number): void
  /** Timers of a dead process never fire. */
  drop(actor?: string): void
}

/** The timer that the harness itself uses. */
export const realTimeout = globalThis.setTimeout

/** Replaces the global timers of this process for good; `clock` returns the virtual time, `actor` the current actor. */
export function virtualTimers(clock: () => number, actor: () => string): Timers {
  const waiting = new Map<number, Timer>()
  let last = 0
  const add = (call: () => void, ms: number, every: boolean) => {
    last += 1
    const id = last
    waiting.set(id, { id, actor: actor(), due: clock() + ms, every: every ? ms : null, call })
    return { id, unref: () => undefined, ref: () => undefined, [Symbol.toPrimitive]: () => id }
  }
  const clear = (handle: unknown) => void (handle && waiting.delete(Number(handle)))
  Object.assign(globalThis, {
    setTimeout: (call: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
      add(() => call(...args), ms, false),
    setInterval: (call: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
      add(() => call(...args), ms, true),
    clearTimeout: clear,
    clearInterval: clear,
  })
  return {
    ready: (now) =>
      [...waiting.values()].filter(
        (timer) =>
          // Timers of other actors belong to the database client, which watches real time.
          timer.actor.startsWith('worker') &&
          (timer.due <= now || (timer.every === null && timer.due - now <= SHORT_MS)),
      ),
    fire: (timer, now) => {
      if (timer.every === null) waiting.delete(timer.id)
      else timer.due = now + timer.every
      timer.call()
    },
    drop: (name) => {
      for (const timer of waiting.values())
        if (name === undefined || timer.actor === name) waiting.delete(timer.id)
    },
  }
}
