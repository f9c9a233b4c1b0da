import pg from 'pg'

/** One statement as it was sent, with the ids that stand in its parameters and those of the rows that it answered. */
export type Sent = { text: string; values: unknown[]; returned: Set<string> }

type Query = (this: unknown, ...args: unknown[]) => unknown
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** The ids that a value contains, however deep. */
export const idsIn = (value: unknown): string[] =>
  [...(JSON.stringify(value) ?? '').matchAll(UUID)].map(([id]) => id)

/**
 * Every statement that `work` sends, in their order. Prisma's and our own SQL go through the same connections, so they are seen
 * where those are: nothing else may run meanwhile.
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
      returned: new Set(),
    }
    sent.push(one)
    return one
  }
  const keep = (one: Sent, result: unknown) => {
    for (const id of idsIn((result as { rows?: unknown } | undefined)?.rows)) one.returned.add(id)
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
