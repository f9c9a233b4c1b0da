import type { NeverLeft } from '#lib/providers/mail/port'
import type { Session } from '#lib/providers/mail/session'

export type PoolLimits = {
  /** Most connections to one mailbox's server; many providers refuse more than a few. */
  per_mailbox: number
  /** Most connections that carry a message at once. */
  at_work: number
  /** Most connections in total, including idle ones kept for their mailbox's next message: each of those saves a sign-in. */
  total: number
  /** How long an unused connection is kept. */
  idle_ms: number
  /** Messages after which a connection is replaced, since servers require that sooner or later. */
  messages: number
  /** How long a message waits for a connection. */
  wait_ms: number
}

/** Permission to use one connection: an idle one, or a free place to open one in. */
export type Lease = { key: string; session: Session | null }

type Leased = Lease | NeverLeft | 'busy' | 'closed'
type Waiter = { key: string; give: (leased: Leased) => void; timer: NodeJS.Timeout }
type Idle = { session: Session; timer: NodeJS.Timeout }

/** Counts and keeps the connections of all mailboxes; `key` stands for one mailbox with its credentials. */
export class SessionPool {
  readonly #limits: PoolLimits
  readonly #idle = new Map<string, Idle[]>()
  readonly #open = new Map<string, number>()
  #total = 0
  #leased = 0
  #waiters: Waiter[] = []
  #drained: (() => void) | null = null
  #closed = false

  constructor(limits: PoolLimits) {
    this.#limits = limits
  }

  /** Waits for a connection. With `fresh`, idle connections of the mailbox are dropped instead of reused. */
  async lease(key: string, { fresh = false } = {}): Promise<Leased> {
    if (this.#closed) return 'closed'
    if (fresh) while (this.#dropIdle(key));
    const isNext = !this.#waiters.some((waiter) => waiter.key === key)
    const lease = isNext ? this.#take(key) : null
    if (lease) return lease
    return new Promise((resolve) => {
      const waiter: Waiter = {
        key,
        give: resolve,
        timer: setTimeout(() => {
          this.#waiters = this.#waiters.filter((other) => other !== waiter)
          resolve('busy')
        }, this.#limits.wait_ms),
      }
      this.#waiters.push(waiter)
    })
  }

  /** Returns a lease, with the connection if it can carry another message. */
  release({ key }: Lease, session: Session | null) {
    this.#leased -= 1
    if (session?.alive && session.used < this.#limits.messages && !this.#closed) this.#keep(key, session)
    else {
      session?.quit()
      this.#forget(key)
    }
    this.#serveWaiters()
    if (this.#leased === 0) this.#drained?.()
  }

  /** No connection can be opened for this mailbox: the waiting messages fail at once instead of trying one by one. */
  refuse(key: string, failure: NeverLeft) {
    for (const waiter of this.#waiters.filter((one) => one.key === key)) {
      clearTimeout(waiter.timer)
      waiter.give(failure)
    }
    this.#waiters = this.#waiters.filter((one) => one.key !== key)
  }

  /** Refuses new leases, lets messages in progress finish, then closes all connections. */
  async close() {
    this.#closed = true
    for (const waiter of this.#waiters.splice(0)) {
      clearTimeout(waiter.timer)
      waiter.give('closed')
    }
    for (const key of [...this.#idle.keys()]) while (this.#dropIdle(key));
    if (this.#leased > 0)
      await new Promise<void>((resolve) => {
        this.#drained = resolve
      })
  }

  #take(key: string): Lease | null {
    if (this.#leased >= this.#limits.at_work) return null
    for (let idle = this.#popIdle(key); idle; idle = this.#popIdle(key)) {
      if (idle.alive) return this.#lend(key, idle)
      this.#forget(key)
    }
    if ((this.#open.get(key) ?? 0) >= this.#limits.per_mailbox) return null
    if (this.#total >= this.#limits.total && !this.#dropAnyIdle()) return null
    this.#open.set(key, (this.#open.get(key) ?? 0) + 1)
    this.#total += 1
    return this.#lend(key, null)
  }

  #lend(key: string, session: Session | null): Lease {
    this.#leased += 1
    return { key, session }
  }

  #serveWaiters() {
    for (const waiter of [...this.#waiters]) {
      const lease = this.#take(waiter.key)
      if (!lease) continue
      clearTimeout(waiter.timer)
      this.#waiters = this.#waiters.filter((other) => other !== waiter)
      waiter.give(lease)
    }
  }

  #keep(key: string, session: Session) {
    const timer = setTimeout(() => this.#dropIdle(key, session), this.#limits.idle_ms)
    // An idle connection must not keep a process alive that has nothing else to do.
    timer.unref()
    this.#idle.set(key, [...(this.#idle.get(key) ?? []), { session, timer }])
  }

  #popIdle(key: string) {
    const idle = this.#idle.get(key)?.pop()
    if (this.#idle.get(key)?.length === 0) this.#idle.delete(key)
    clearTimeout(idle?.timer)
    return idle?.session
  }

  #dropIdle(key: string, session?: Session) {
    const list = this.#idle.get(key) ?? []
    const idle = session ? list.find((entry) => entry.session === session) : list[0]
    if (!idle) return false
    clearTimeout(idle.timer)
    const rest = list.filter((entry) => entry !== idle)
    if (rest.length > 0) this.#idle.set(key, rest)
    else this.#idle.delete(key)
    idle.session.quit()
    this.#forget(key)
    return true
  }

  /** Makes room under the total for a mailbox without a connection, by closing an idle connection of another. */
  #dropAnyIdle() {
    const [key] = this.#idle.keys()
    return key !== undefined && this.#dropIdle(key)
  }

  #forget(key: string) {
    const left = (this.#open.get(key) ?? 1) - 1
    if (left > 0) this.#open.set(key, left)
    else this.#open.delete(key)
    this.#total -= 1
  }
}
