/**
 * One kind of work of the reader process. Input, parts and answer cross processes: plain data and Uint8Array. `hand` passes on a
 * part before the answer, and resolves when there is room for another.
 */
export type Task = (input: never, hand: (part: unknown) => Promise<void>) => unknown
export type Tasks = Record<string, Task>

export type InputOf<T extends Task> = Parameters<T>[0]
export type PartOf<T extends Task> = Parameters<T>[1] extends (part: infer Part) => Promise<void>
  ? Part
  : never
export type AnswerOf<T extends Task> = Awaited<ReturnType<T>>

/**
 * How a task ended. `refused`: the task gave a reason in words for people; the next three: it was stopped, or it crashed;
 * `absent`: it never started, because no reader could be started.
 */
export type Outcome<Answer> =
  | { outcome: 'done'; value: Answer; cpu_ms: number }
  | { outcome: 'refused'; code: string; message: string }
  | { outcome: 'over_time' }
  | { outcome: 'over_memory' }
  | { outcome: 'died'; message: string }
  | { outcome: 'absent'; message: string }

export type ReadOptions = {
  /** Whose content is read: each owner gets a fair share. */
  owner: string
  /** Longest time between two signs of progress; waiting for one's turn does not count. */
  deadline_ms: number
  /** Most computing time of the whole task. */
  cpu_ms?: number
}

/** The limits of one task in its process. */
export type Limits = {
  memory_mb: number
  /** 0: no limit. */
  cpu_ms: number
}

export type ToReader =
  | { type: 'task'; id: number; kind: string; input: unknown; limits: Limits }
  /** A part was consumed: there is room for another. */
  | { type: 'more'; id: number }

export type FromReader =
  | { type: 'ready' }
  | { type: 'part'; id: number; part: unknown }
  | { type: 'done'; id: number; value: unknown; cpu_ms: number; grown: boolean }
  | { type: 'refused'; id: number; code: string; message: string; cpu_ms: number; grown: boolean }
  | { type: 'broken'; id: number; message: string; cpu_ms: number; grown: boolean }

/** How many parts may be in transit before the first was consumed: one being consumed, one ready. */
export const PARTS_AHEAD = 2

/** Where tasks run: a process, or a thread on platforms without processes. */
export type Host = {
  send(message: ToReader): void
  onMessage(hear: (message: FromReader) => void): void
  /** Called once when it ended, whoever ended it. */
  onEnd(hear: (end: HostEnd) => void): void
  kill(): void
  /** Whether it keeps this process from exiting. */
  hold(isHeld: boolean): void
}
export type HostEnd = { cause: 'over_time' | 'over_memory' | 'died'; message: string }
