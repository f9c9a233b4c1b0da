/** One reader of untrusted bytes, and what it promises for any input. */
export type Target = {
  name: string
  /** Where a run starts: valid inputs and damaged ones. */
  seeds: () => (string | Uint8Array)[]
  /** Words of the format that random changes would not produce. */
  words: readonly string[]
  /** Maximum length of an input, in bytes. */
  max: number
  /** Time limit in milliseconds for any input, where it is longer than usual because the caller sets a limit of its own. */
  slow_ms?: number
  /** Runs in a process of its own that is killed when it takes too much: neither time nor memory counts as a fault. */
  is_contained?: boolean
  /** Throws or rejects where a promise is broken; a documented refusal is no fault. */
  run: (input: Uint8Array) => unknown
}

type Refusal = new (...given: never[]) => Error

/** The result of `read`; null where it refuses in one of the documented ways. */
export async function unlessRefused<Answer>(
  read: () => Answer | Promise<Answer>,
  ...refusals: Refusal[]
): Promise<Answer | null> {
  try {
    return await read()
  } catch (error) {
    if (refusals.some((refusal) => error instanceof refusal)) return null
    throw error
  }
}

const decoder = new TextDecoder()
export const textOf = (input: Uint8Array): string => decoder.decode(input)

export const bytesOf = (seed: string | Uint8Array): Uint8Array =>
  typeof seed === 'string' ? new TextEncoder().encode(seed) : seed

/** Several texts from one input, so that a mutation can reach each of them. */
export function textsOf(input: Uint8Array, count: number): string[] {
  const parts = textOf(input).split('\x1e')
  return Array.from({ length: count }, (_, at) => parts[at] ?? '')
}
export const joined = (...texts: string[]): string => texts.join('\x1e')

export function promise(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`Broken promise: ${what}`)
}

const OWN = Object.getOwnPropertyNames(Object.prototype).length
/** Nothing that was read may have polluted Object.prototype. */
export function promiseCleanPrototypes(): void {
  promise(Object.getOwnPropertyNames(Object.prototype).length === OWN, 'no prototype is changed')
  for (const name in {}) promise(false, `no prototype is changed, and now all objects have ${name}`)
}

/** Every string in a value, including field names, at any depth. */
export function* textsIn(value: unknown): Generator<string> {
  const waiting = [value]
  while (waiting.length > 0) {
    const each = waiting.pop()
    if (typeof each === 'string') yield each
    else if (typeof each === 'object' && each !== null && !(each instanceof Uint8Array))
      for (const [name, inner] of Object.entries(each)) {
        if (!Array.isArray(each)) yield name
        waiting.push(inner)
      }
  }
}

/** No NUL and no unpaired surrogate, for which the database refuses the whole statement. */
export function promiseStorable(value: unknown): void {
  for (const text of textsIn(value))
    promise(
      !text.includes('\0') && text.isWellFormed(),
      `no NUL and no half of a letter in ${JSON.stringify(text.slice(0, 200))}`,
    )
}

/** The part of a text that an HTTP header can carry. */
export const headerText = (text: string): string => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '')
