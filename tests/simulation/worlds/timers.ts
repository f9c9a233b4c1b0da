/**
 * Timers of the code under test stand still until the stage lets one go. A short one (a group that waits for more outcomes) may
 * go at any moment; a long one (a heartbeat) only when the virtual clock has reached it.
 */
export type Timer = { id: number; actor: string; due: number; every: number | null; call: () => void }

const SHORT_MS = 10_000

export type Timers = {
  ready(now: number): Timer[]
  fire(timer: Timer, now: number): void
  /** What a dead process had set never rings. */
  drop(actor?: string): void
}

/** What the harness itself waits with. */
export const realTimeout = globalThis.setTimeout

/** Replaces the global timers of this process for good; `clock` answers the virtual time, `actor` who asks. */
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
          // Those of the database client watch over real time.
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
