/** Computing time per owner and round, in milliseconds. */
const QUANTUM_MS = 100
const KILLS_BEFORE_LAST = 3
const KILLS_REMEMBERED_MS = 3_600_000

type Owner<Job> = {
  waiting: Job[]
  isRunning: boolean
  /** Milliseconds left of the owner's share; below zero if a job took more. */
  balance: number
  /** The owner gets no turn before this instant. */
  held_off_until: number
  kills: number[]
}

export type FairShare<Job> = {
  add(owner: string, job: Job): void
  /** Removes a job that has not started; false if it has. */
  remove(owner: string, job: Job): boolean
  /** The job whose turn it is; null if none may start. */
  next(now: number): { owner: string; job: Job } | null
  /** Puts the job back to the front, and gives its owner no turn before `until`. */
  holdOff(owner: string, job: Job, until: number): void
  ended(owner: string, cost_ms: number): void
  killed(owner: string, now: number): void
}

/**
 * Decides whose turn it is: deficit round robin by owner. A job's time is charged afterwards, because nobody knows it before.
 * One job per owner at a time. An owner whose jobs had to be killed three times within an hour is served only if nobody else
 * waits. Once nobody waits, all balances start at zero again.
 */
export function fairShare<Job>(): FairShare<Job> {
  /** In the order of turns: an owner that was served moves to the end. */
  const owners = new Map<string, Owner<Job>>()

  function ensureOwner(name: string): Owner<Job> {
    const owner = owners.get(name) ?? {
      waiting: [],
      isRunning: false,
      balance: 0,
      held_off_until: 0,
      kills: [],
    }
    owners.set(name, owner)
    return owner
  }

  function isSuspect(owner: Owner<Job>, now: number): boolean {
    owner.kills = owner.kills.filter((at) => at > now - KILLS_REMEMBERED_MS)
    return owner.kills.length >= KILLS_BEFORE_LAST
  }

  function startEven(now: number) {
    for (const [name, owner] of owners) {
      if (owner.waiting.length > 0) return
      owner.balance = 0
      if (!owner.isRunning && !isSuspect(owner, now) && owner.kills.length === 0) owners.delete(name)
    }
  }

  function next(now: number) {
    const ready = [...owners].filter(
      ([, owner]) => owner.waiting.length > 0 && !owner.isRunning && owner.held_off_until <= now,
    )
    const trusted = ready.filter(([, owner]) => !isSuspect(owner, now))
    const turn = trusted.length > 0 ? trusted : ready
    const rounds = Math.min(...turn.map(([, { balance }]) => Math.ceil(Math.max(0, -balance) / QUANTUM_MS)))
    for (const [, owner] of turn) owner.balance = Math.min(0, owner.balance + rounds * QUANTUM_MS)
    const [name, owner] = turn.find(([, { balance }]) => balance >= 0) ?? []
    const job = owner?.waiting.shift()
    if (name === undefined || !owner || job === undefined) return null
    owner.isRunning = true
    owners.delete(name)
    owners.set(name, owner)
    return { owner: name, job }
  }

  return {
    add: (name, job) => void ensureOwner(name).waiting.push(job),
    remove(name, job) {
      const { waiting } = ensureOwner(name)
      const at = waiting.indexOf(job)
      if (at !== -1) waiting.splice(at, 1)
      return at !== -1
    },
    next(now) {
      startEven(now)
      return next(now)
    },
    holdOff(name, job, until) {
      const owner = ensureOwner(name)
      owner.waiting.unshift(job)
      owner.isRunning = false
      owner.held_off_until = until
    },
    ended(name, cost_ms) {
      const owner = ensureOwner(name)
      owner.isRunning = false
      owner.balance -= cost_ms
    },
    killed: (name, now) => void ensureOwner(name).kills.push(now),
  }
}
