import pg from 'pg'
import { idsIn, type Sent } from '#tests/support/statements/watch'

type Query = (this: unknown, ...args: unknown[]) => unknown

/**
 * Every statement that `work` sends, in order. Prisma and our own SQL use the same connections, so the statements are recorded
 * there: nothing else may run meanwhile.
 */
export async function recordStatements<T>(work: () => Promise<T>): Promise<{ answer: T; sent: Sent[] }> {
  const sent: Sent[] = []
  const { prototype } = pg.Client
  const query = prototype.query as Query
  const note = (config: unknown, values: unknown): Sent => {
    const { text, values: own } =
      typeof config === 'string' ? { text: config, values: undefined } : (config as Sent)
    const one: Sent = {
      text,
      values: (own ?? (Array.isArray(values) ? values : [])) as unknown[],
      returned: [],
    }
    sent.push(one)
    return one
  }
  const keep = (one: Sent, result: unknown) => {
    one.returned = idsIn((result as { rows?: unknown } | undefined)?.rows)
  }
  const recording: Query = function (...args) {
    const one = note(args[0], args[1])
    const last = args.findLastIndex((arg) => typeof arg === 'function')
    if (last >= 0) {
      const callback = args[last] as (error: unknown, result: unknown) => void
      args[last] = (error: unknown, result: unknown) => {
        keep(one, result)
        callback(error, result)
      }
      return query.apply(this, args)
    }
    const answer = query.apply(this, args)
    if (!(answer instanceof Promise)) return answer
    return answer.then((result) => {
      keep(one, result)
      return result
    })
  }
  Reflect.set(prototype, 'query', recording)
  try {
    return { answer: await work(), sent }
  } finally {
    Reflect.set(prototype, 'query', query)
  }
}
