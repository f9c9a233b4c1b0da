import type { EventBody } from '#lib/engine/protocol'

/**
 * The three kinds of expressions that functions may give the engine. There is no general expression language:
 * a path into the event that starts a run (concurrency keys), equality of one path in two events (`cancelOn`
 * with `match`), and equality of a path with a string (how the SDK routes failures to `onFailure`). Anything
 * else is refused at sync.
 */
type Path = (event: EventBody | undefined) => unknown

const STEPS = String.raw`((?:\.[A-Za-z_]\w*)+)`
const KEY = new RegExp(`^event${STEPS}$`)
const SAME = new RegExp(`^event${STEPS} == async${STEPS}$`)
const TEXT = new RegExp(`^event${STEPS} == '([^'\\\\]*)'$`)

/** A path that does not exist in the event yields null, as on Inngest's own server. */
const compilePath =
  (steps: string): Path =>
  (event) =>
    steps
      .slice(1)
      .split('.')
      .reduce<unknown>(
        (at, step) =>
          typeof at === 'object' && at !== null
            ? (Object.getOwnPropertyDescriptor(at, step)?.value ?? null)
            : null,
        event,
      )

function read(pattern: RegExp, source: string, like: string): string[] {
  const match = pattern.exec(source)
  if (!match)
    throw new SyntaxError(`"${source}" is not ${like}, and the embedded engine reads no other expression`)
  return match.slice(1)
}

/** The key that `source` names in an event: `event.data.workspace_id`. */
export function parseKey(source: string): Path {
  const [steps = ''] = read(KEY, source, 'a path like event.data.id')
  return compilePath(steps)
}

/** Whether a running event and a new one have the same value: `event.data.id == async.data.id`. */
export function parseMatch(source: string): (event: EventBody | undefined, async: EventBody) => boolean {
  const [left = '', right = ''] = read(SAME, source, 'a match like event.data.id == async.data.id')
  const [ours, theirs] = [compilePath(left), compilePath(right)]
  return (event, async) => JSON.stringify(ours(event)) === JSON.stringify(theirs(async))
}

/** Whether an event has a certain string at a path: `event.data.function_id == 'app-import'`. */
export function parseText(source: string): (event: EventBody) => boolean {
  const [steps = '', text = ''] = read(TEXT, source, "a text like event.data.function_id == 'name'")
  const path = compilePath(steps)
  return (event) => path(event) === text
}
