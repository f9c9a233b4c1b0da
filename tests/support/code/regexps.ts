import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseSync } from 'oxc-parser'
import { ROOT, sources } from '#tests/support/code/source-files'

/** A regular expression of the product, and the files that contain it. */
export type Expression = { source: string; flags: string; files: string[] }

/** The key under which the verdict on an expression is stored: it covers text and flags, so a changed expression counts as new. */
export const hashOf = ({ source, flags }: Pick<Expression, 'source' | 'flags'>) =>
  createHash('sha256').update(`/${source}/${flags}`).digest('hex').slice(0, 12)

/** Files that build regular expressions from text at run time. */
export type Builder = { file: string; sites: number }

const isOurs = (file: string) => !/^(?:tests|tools)\//.test(file)

/** Every regular expression literal of the code, and the files that call `RegExp`. */
export function writtenExpressions(): { literals: Expression[]; builders: Builder[] } {
  const literals = new Map<string, Expression>()
  const builders: Builder[] = []
  for (const { file, code } of sources().filter((source) => isOurs(source.file))) {
    let sites = 0
    for (const { regex, callee } of nodesOf(parseSync(file, code).program)) {
      if (regex) add(literals, { source: regex.pattern, flags: regex.flags, file })
      if (callee?.type === 'Identifier' && callee.name === 'RegExp') sites += 1
    }
    if (sites > 0) builders.push({ file, sites })
  }
  return { literals: [...literals.values()], builders }
}

type Node = { regex?: { pattern: string; flags: string }; callee?: { type: string; name?: string } }

/** Every node of a syntax tree. */
function* nodesOf(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return
  if ('type' in value) yield value as Node
  for (const inner of Object.values(value)) yield* nodesOf(inner)
}

/** The expressions that the files built with `RegExp` while they were loaded and while `calls` ran. */
export async function builtExpressions(
  files: string[],
  calls: () => Promise<unknown> | unknown,
): Promise<Expression[]> {
  const built = new Map<string, Expression>()
  const original = globalThis.RegExp
  const note = (made: RegExp): RegExp => {
    const file = callerIn(files)
    if (file) add(built, { source: made.source, flags: made.flags, file })
    return made
  }
  globalThis.RegExp = new Proxy(original, {
    construct: (target, given) => note(Reflect.construct(target, given)),
    apply: (target, self, given) => note(Reflect.apply(target, self, given)),
  })
  try {
    for (const file of files) await import(pathToFileURL(path.join(ROOT, file)).href)
    await calls()
  } finally {
    globalThis.RegExp = original
  }
  return [...built.values()]
}

function callerIn(files: string[]): string | undefined {
  const stack = new Error().stack ?? ''
  return files.find((file) => stack.includes(`${ROOT}/${file}:`))
}

function add(
  found: Map<string, Expression>,
  { source, flags, file }: Omit<Expression, 'files'> & { file: string },
) {
  const key = `${source}/${flags}`
  const known = found.get(key)
  if (!known) found.set(key, { source, flags, files: [file] })
  else if (!known.files.includes(file)) known.files.push(file)
}

/** An input that a checker found to slow an expression down: a prefix, parts to be repeated (each with its own prefix), and a suffix. */
export type Attack = { before: string; pumps: { before: string; pump: string }[]; after: string }

/**
 * Without `max` the expression is linear although the checker objects, and its attack is tried to prove it. With `max` only texts up to
 * that length reach it.
 */
export type Listed = {
  expression: string
  file: string
  max?: number
  reason: string
  attack?: Attack
}

export type Verdicts = { listed: Record<string, Listed>; safe: string[] }

const FILE = path.join(ROOT, 'tests/architecture/regexps.json')

export const readVerdicts = () => JSON.parse(fs.readFileSync(FILE, 'utf8')) as Verdicts

export function writeVerdicts({ listed, safe }: Verdicts): void {
  const inOrder = Object.fromEntries(
    Object.entries(listed).toSorted(([, a], [, b]) =>
      `${a.file} ${a.expression}`.localeCompare(`${b.file} ${b.expression}`, 'en'),
    ),
  )
  fs.writeFileSync(FILE, `${JSON.stringify({ listed: inOrder, safe: safe.toSorted() }, null, 2)}\n`)
}

/** The attack text at the given length. */
export function attackOf({ before, pumps, after }: Attack, length: number): string {
  const fixed = before.length + after.length + pumps.reduce((sum, one) => sum + one.before.length, 0)
  const room = Math.max(0, Math.floor((length - fixed) / Math.max(1, pumps.length)))
  const pumped = pumps.map(
    (one) => one.before + one.pump.repeat(Math.floor(room / Math.max(1, one.pump.length))),
  )
  return `${before}${pumped.join('')}${after}`.slice(0, length)
}
