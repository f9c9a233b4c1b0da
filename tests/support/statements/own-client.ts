import type { Pool } from 'pg'
import { closeDatabase as close, db as product, pool as productPool } from '#lib/db/client'
import { isHeld, ofTests } from '#tests/support/statements/of-tests'

/* Replaces `#lib/db/client` in tests: the same client, with its statements marked as the test's own. */

type Call = (this: unknown, ...given: unknown[]) => unknown

/** Prisma sends a query only when it is awaited, so the promise is wrapped too; the list of promises of a transaction stays one. */
const asOwn = (answer: unknown): unknown =>
  typeof answer !== 'object' || answer === null
    ? answer
    : new Proxy(answer, {
        get(promise, name) {
          const value = Reflect.get(promise, name)
          if (typeof value !== 'function') return value
          return (...given: unknown[]) => ofTests.run(true, () => (value as Call).apply(promise, given))
        },
      })

const own = <T extends object>(thing: T): T =>
  new Proxy(thing, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (!isHeld()) return value
      if (typeof value === 'object' && value !== null) return own(value)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => asOwn(ofTests.run(true, () => (value as Call).apply(target, given)))
    },
  })

export const db = own(product)
export const pool = (): Pool => (isHeld() ? own(productPool()) : productPool())
export const closeDatabase = (): Promise<void> => close()
