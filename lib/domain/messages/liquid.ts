import {
  AssignTag,
  Liquid,
  LiquidError,
  Output,
  Parser,
  type PropertyAccessToken,
  type Template,
  Tokenizer,
  TypeGuards,
  toValueSync,
  Value,
  Variable,
} from 'liquidjs'
import { escapeHtml } from '#lib/domain/messages/html'
import { asRecord } from '#lib/domain/text/record'

export type Position = { line: number; column: number }
export type LiquidFailure = Position & { message: string }

/** A merge field. `has_fallback`: `default`, or a surrounding condition on the variable, prevents a gap in the message. */
export type MergeField = { name: string; has_fallback: boolean }

// Excluded are tags that read files, keep state between renders or print without an Output.
const TAGS = new Set(['assign', 'break', 'case', 'comment', 'continue', 'for', 'if', 'raw', 'unless', '#'])

// `raw` and `newline_to_br` would let lead data escape its escaping; `sample` is random, and the others print dates in the
// server's own zone.
const FILTERS_REFUSED = ['raw', 'newline_to_br', 'sample', 'date_to_xmlschema', 'date_to_rfc822']
const MORE_FILTERS_REFUSED = ['date_to_string', 'date_to_long_string']

/** The longest template. */
const LONGEST = 100_000

function createEngine(kind: 'text' | 'html') {
  const engine = new Liquid({
    ownPropertyOnly: true,
    strictFilters: true,
    // An empty cell counts as absent in conditions; in standard Liquid an empty string is true.
    jsTruthy: true,
    templates: {},
    // The limit of one render in milliseconds. Most take less than one; a busy machine must not refuse a good template.
    renderLimit: 250,
    memoryLimit: 1_000_000,
    ...(kind === 'html' && { outputEscape: (value: unknown) => escapeHtml(printed(value)) }),
  })
  for (const tag of Object.keys(engine.tags)) if (!TAGS.has(tag)) delete engine.tags[tag]
  for (const filter of [...FILTERS_REFUSED, ...MORE_FILTERS_REFUSED]) engine.unregisterFilter(filter)
  // HTML is escaped anyway, and plain text must not be.
  for (const filter of ['escape', 'escape_once', 'xml_escape'])
    engine.registerFilter(filter, (value: unknown) => value)
  registerDate(engine)
  return engine
}

/** `date` reads no clock: `now` and `today` are the caller's instant, in the caller's zone. */
function registerDate(engine: Liquid) {
  const original = engine.filters.date
  engine.registerFilter('date', function (value: unknown, format: unknown, zone?: unknown) {
    const { __now, __zone } = asRecord(this.context.globals)
    const instant = value === 'now' || value === 'today' ? __now : value
    if (!instant || typeof original !== 'function') return null
    return original.call(this, instant, format, zone ?? __zone)
  })
}

const ENGINES = { text: createEngine('text'), html: createEngine('html') }

/**
 * Parses as the engine does. The engine takes tokens from the front of an array, which moves all others each time and takes
 * quadratic time; here the array is reversed and tokens are taken from its end.
 */
function parse(kind: 'text' | 'html', source: string): Template[] {
  if (source.length > LONGEST) throw new Error(`The text is longer than ${LONGEST} characters`)
  const tokens = new Tokenizer(source).readTopLevelTokens(ENGINES[kind].options).toReversed()
  tokens.shift = () => tokens.pop()
  return new Parser(ENGINES[kind]).parseTokens(tokens)
}

function printed(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(printed).join('')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export function isBlank(value: unknown) {
  if (typeof value === 'string') return value.trim() === ''
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

/** The first Liquid error in a source, or null. */
export function liquidFailure(source: string): LiquidFailure | null {
  try {
    parse('html', source)
    return null
  } catch (error) {
    return toFailure(error)
  }
}

function toFailure(error: unknown): LiquidFailure {
  const message = error instanceof Error ? error.message : String(error)
  const [line = 1, column = 1] = LiquidError.is(error) && error.token ? error.token.getPosition() : []
  // Liquid ends its messages with ", line:1, col:5", which the position already says.
  return { line, column, message: message.replace(/, line:\d+, col:\d+$/, '') }
}

export type LiquidResult =
  | { ok: true; text: string; missing: string[] }
  | { ok: false; failure: LiquidFailure }

/**
 * Renders one source. `missing` names the variables that were printed without a value or fallback. With `html` every printed
 * value is escaped.
 */
export function renderLiquid(
  source: string,
  kind: 'text' | 'html',
  scope: object,
  clock?: { now: Date; timezone: string },
): LiquidResult {
  const missing = new Set<string>()
  const globals = { __missing: missing, __now: clock?.now.toISOString(), __zone: clock?.timezone }
  try {
    const text = String(ENGINES[kind].renderSync(parsed(source, kind), scope, { globals }))
    return { ok: true, text, missing: [...missing] }
  } catch (error) {
    return { ok: false, failure: toFailure(error) }
  }
}

const PARSED_KEPT = 200
const parsedTemplates = new Map<string, Template[]>()

/** Cached: parsing and analysing a template is most of the work, and a campaign renders the same few templates again and again. */
function parsed(source: string, kind: 'text' | 'html') {
  const key = `${kind}:${source}`
  const known = parsedTemplates.get(key)
  if (known) return known
  const templates = parse(kind, source)
  watchOutputs(templates)
  const [oldest] = parsedTemplates.keys()
  if (parsedTemplates.size >= PARSED_KEPT && oldest !== undefined) parsedTemplates.delete(oldest)
  parsedTemplates.set(key, templates)
  return templates
}

/** Makes every unguarded Output of a parsed template report a missing value. */
function watchOutputs(templates: Template[]) {
  walk(templates, new Surroundings(), (node, [name], isSafe) => {
    if (isSafe || !name || !(node instanceof Output)) return
    const { value } = node
    node.render = function* (context, emitter) {
      const { __missing } = asRecord(context.globals)
      const isMissing = isBlank(yield value.initial.evaluate(context, false))
      if (isMissing && __missing instanceof Set) __missing.add(name)
      emitter.write(yield value.value(context, false))
    }
  })
}

/** The variables that sources take from outside, in order of appearance. Null if one cannot be parsed. */
export function liquidFields(sources: string[]): MergeField[] | null {
  const fields = new Map<string, boolean>()
  try {
    for (const source of sources) {
      const outside = new Set<string>()
      const named: { name: string; isSafe: boolean }[] = []
      walk(parse('text', source), new Surroundings(outside), (_node, names, isSafe) => {
        named.push(...names.map((name) => ({ name, isSafe })))
      })
      for (const { name, isSafe } of named)
        if (outside.has(name.split(/[.[]/)[0] ?? '')) fields.set(name, (fields.get(name) ?? true) && isSafe)
    }
  } catch {
    return null
  }
  return [...fields].map(([name, has_fallback]) => ({ name, has_fallback }))
}

/** Names with a count, for nested scopes around a node. */
class Names {
  private readonly counts = new Map<string, number>()
  has = (name: string) => (this.counts.get(name) ?? 0) > 0
  add(names: Iterable<string>, by: 1 | -1) {
    for (const name of names) this.counts.set(name, (this.counts.get(name) ?? 0) + by)
  }
}

/** The context of a node: the variables checked by surrounding conditions, and the names defined in the template. */
class Surroundings {
  readonly guarded = new Names()
  readonly made = new Names()
  /** Names of the variables that the template does not define before using them. */
  readonly outside: Set<string>
  constructor(outside = new Set<string>()) {
    this.outside = outside
  }
}

type Visit = (node: Template, names: string[], isSafe: boolean) => void

/**
 * Visits every node with the variables it names itself. liquidjs' own analysis counts lines from the beginning for each
 * variable, which takes quadratic time.
 */
function walk(templates: Template[], around: Surroundings, visit: Visit) {
  for (const node of templates) {
    const variables = [...(node.arguments?.() ?? [])].flatMap((argument) => [...variablesIn(argument)])
    const names = variables.map(String)
    for (const { segments } of variables) {
      const [root] = segments
      if (typeof root === 'string' && !around.made.has(root)) around.outside.add(root)
    }
    const isOutput = node instanceof Output
    // An assigned variable counts as printed; one in a condition or loop may well be absent.
    const isPrinted = isOutput || node instanceof AssignTag
    const hasDefault = isOutput
      ? node.value.filters.some((filter) => filter.name === 'default')
      : /\|\s*default\b/.test(node.token.getText())
    const isGuarded = names.length > 0 && names.every(around.guarded.has)
    visit(node, names, !isPrinted || hasDefault || isGuarded)
    around.made.add(
      [...(node.localScope?.() ?? [])].map(({ content }) => content),
      1,
    )
    if (!node.children) continue
    const block = [...(node.blockScope?.() ?? [])]
    const inner = toValueSync(node.children(false, true))
    around.made.add(block, 1)
    around.guarded.add(names, 1)
    walk(inner, around, visit)
    around.guarded.add(names, -1)
    around.made.add(block, -1)
  }
}

type Operand = Value['initial']['postfix'][number] | Value['filters'][number]['args'][number]
const NOWHERE = { row: 0, col: 0 }

/** Every variable of an expression as a dotted path, including those inside brackets. */
function* variablesIn(argument: Value | Operand | undefined): Generator<Variable> {
  if (Array.isArray(argument)) yield* variablesIn(argument[1])
  else if (argument instanceof Value || (argument && TypeGuards.isFilteredValueToken(argument))) {
    for (const operand of argument.initial.postfix) yield* variablesIn(operand)
    for (const { args } of argument.filters) for (const operand of args) yield* variablesIn(operand)
  } else if (TypeGuards.isRangeToken(argument)) {
    yield* variablesIn(argument.lhs)
    yield* variablesIn(argument.rhs)
  } else if (TypeGuards.isPropertyAccessToken(argument)) {
    const path = toVariable(argument)
    yield path
    for (const segment of path.segments) if (segment instanceof Variable) yield* nested(segment)
  }
}

function* nested(path: Variable): Generator<Variable> {
  yield path
  for (const segment of path.segments) if (segment instanceof Variable) yield* nested(segment)
}

function toVariable({ props }: PropertyAccessToken): Variable {
  const segments = props.flatMap((prop, index) => {
    if (TypeGuards.isPropertyAccessToken(prop)) {
      const path = toVariable(prop)
      // A path may begin with another path and continue from there.
      return index === 0 ? path.segments : [path]
    }
    return TypeGuards.isQuotedToken(prop) || TypeGuards.isNumberToken(prop) || TypeGuards.isWordToken(prop)
      ? [prop.content]
      : []
  })
  return new Variable(segments, NOWHERE)
}
