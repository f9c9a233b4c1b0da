import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import pg from 'pg'
import { isHeld, ofTests } from '#tests/support/statements/of-tests'

/** One statement as it was sent, with its parameters and the ids of the rows that it returned. */
export type Sent = { text: string; values: unknown[]; returned: string[] }
type Query = (this: unknown, ...args: unknown[]) => unknown
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** The ids that a value contains, at any depth. */
export const idsIn = (value: unknown): string[] =>
  [...(JSON.stringify(value) ?? '').matchAll(UUID)].map(([id]) => id)

const request = new AsyncLocalStorage<Sent[]>()

/** The texts of all statements that the product has sent. */
export const texts = new Set<string>()

function note(args: unknown[]): Sent {
  const config = args[0] as string | { text?: string; values?: unknown[] }
  const isText = typeof config === 'string'
  const given = (isText ? undefined : config.values) ?? args[1]
  const text = isText ? config : (config.text ?? '')
  texts.add(text)
  return { text, values: Array.isArray(given) ? given : [], returned: [] }
}

let isWatching = false

/**
 * From now on every statement is recorded, on the connections that Prisma and our own SQL share; records of earlier test files are dropped.
 */
export function watch(): void {
  texts.clear()
  requests.length = 0
  if (isWatching) return
  isWatching = true
  const client = pg.Client.prototype
  const query = client.query as Query
  const watched: Query = function (...args) {
    if (!isHeld() || ofTests.getStore()) return query.apply(this, args)
    const one = note(args)
    const sent = request.getStore()
    if (!sent) return query.apply(this, args)
    sent.push(one)
    const keep = (result: unknown) => {
      one.returned = idsIn((result as { rows?: unknown } | undefined)?.rows)
      return result
    }
    const last = args.findLastIndex((arg) => typeof arg === 'function')
    const callback = args[last] as ((error: unknown, result: unknown) => void) | undefined
    if (callback) args[last] = (error: unknown, result: unknown) => callback(error, keep(result))
    const answer = query.apply(this, args)
    return answer instanceof Promise ? answer.then(keep) : answer
  }
  Reflect.set(client, 'query', watched)
  // A callback that waits for a connection must run in its own async context, not in that of whoever releases the connection.
  const pools = pg.Pool.prototype
  const connect = pools.connect as Query
  const bound: Query = function (...args) {
    return connect.apply(
      this,
      args.map((arg) => (typeof arg === 'function' ? AsyncResource.bind(arg as Query) : arg)),
    )
  }
  Reflect.set(pools, 'connect', bound)
}

/** The statements of a request, the ids that it brought, and the ids that it may name at once. */
export type Request = { sent: Sent[]; asked: string[]; known: string[] }

export const requests: Request[] = []

/** Runs one request of a test: only its own statements, not concurrent ones, are checked at the end of the test file. */
export async function judged<T>(
  given: { asked: unknown; known: string[] },
  work: () => Promise<T>,
): Promise<T> {
  const sent: Sent[] = []
  const answer = await request.run(sent, work)
  requests.push({ sent, asked: idsIn(given.asked), known: given.known })
  return answer
}
