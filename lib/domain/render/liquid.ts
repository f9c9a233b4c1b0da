import { AssignTag, Liquid, LiquidError, Output, type Template, toValueSync } from 'liquidjs'
import { escapeHtml } from '#lib/domain/render/html'

export type Position = { line: number; column: number }
export type LiquidFailure = Position & { message: string }

/** `default` or a surrounding condition on the variable keeps a hole out of the message. */
export type MergeField = { name: string; has_fallback: boolean }

// No tag that reads files, keeps state between renders or prints without an Output.
const TAGS = new Set(['assign', 'break', 'case', 'comment', 'continue', 'for', 'if', 'raw', 'unless', '#'])

// `raw` and `newline_to_br` would let lead data out of its escaping, `sample` and the rest draw lots or
// print dates of the server's own zone.
const FILTERS_REFUSED = ['raw', 'newline_to_br', 'sample', 'date_to_xmlschema', 'date_to_rfc822']
const MORE_FILTERS_REFUSED = ['date_to_string', 'date_to_long_string']

function createEngine(kind: 'text' | 'html') {
  const engine = new Liquid({
    ownPropertyOnly: true,
    strictFilters: true,
    // An empty cell counts as absent in conditions; to Liquid itself an empty string is true.
    jsTruthy: true,
    templates: {},
    parseLimit: 100_000,
    // Milliseconds of one render: usually well under one, but a busy machine must not refuse a good template.
    renderLimit: 500,
    memoryLimit: 1_000_000,
    ...(kind === 'html' && { outputEscape: (value: unknown) => escapeHtml(printed(value)) }),
  })
  for (const tag of Object.keys(engine.tags)) if (!TAGS.has(tag)) delete engine.tags[tag]
  for (const filter of [...FILTERS_REFUSED, ...MORE_FILTERS_REFUSED]) engine.unregisterFilter(filter)
  // HTML is escaped anyway, and a text must not be.
  for (const filter of ['escape', 'escape_once', 'xml_escape'])
    engine.registerFilter(filter, (value: unknown) => value)
  registerDate(engine)
  return engine
}

/** `date` reads no clock: `now` and `today` are what the caller said, in the caller's zone. */
function registerDate(engine: Liquid) {
  const original = engine.filters.date
  engine.registerFilter('date', function (value: unknown, format: unknown, zone?: unknown) {
    const { __now, __zone } = this.context.globals as { __now?: string; __zone?: string }
    const instant = value === 'now' || value === 'today' ? __now : value
    if (!instant || typeof original !== 'function') return null
    return original.call(this, instant, format, zone ?? __zone)
  })
}

const ENGINES = { text: createEngine('text'), html: createEngine('html') }

function printed(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(printed).join('')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export function isBlank(value: unknown) {
  if (typeof value === 'string') return value.trim() === ''
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

/** The first thing wrong with the Liquid of a source, or null. */
export function liquidFailure(source: string): LiquidFailure | null {
  try {
    ENGINES.html.parse(source)
    return null
  } catch (error) {
    return failureOf(error)
  }
}

function failureOf(error: unknown): LiquidFailure {
  const message = error instanceof Error ? error.message : String(error)
  const [line = 1, column = 1] = LiquidError.is(error) && error.token ? error.token.getPosition() : []
  // Liquid ends its messages with ", line:1, col:5", which the position already says.
  return { line, column, message: message.replace(/, line:\d+, col:\d+$/, '') }
}

export type LiquidResult =
  | { ok: true; text: string; missing: string[] }
  | { ok: false; failure: LiquidFailure }

/**
 * Renders one source. `missing` names the variables printed without a value or a fallback. In `html` every
 * printed value is escaped.
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
    return { ok: false, failure: failureOf(error) }
  }
}

const PARSED_KEPT = 200
const parsedTemplates = new Map<string, Template[]>()

/** Parsing and looking through a template is most of the work, and a campaign renders the same few again. */
function parsed(source: string, kind: 'text' | 'html') {
  const key = `${kind}:${source}`
  const known = parsedTemplates.get(key)
  if (known) return known
  const templates = ENGINES[kind].parse(source)
  watchOutputs(templates)
  const [oldest] = parsedTemplates.keys()
  if (parsedTemplates.size >= PARSED_KEPT && oldest !== undefined) parsedTemplates.delete(oldest)
  parsedTemplates.set(key, templates)
  return templates
}

/** Makes every unguarded Output of a parsed template say when it had nothing to print. */
function watchOutputs(templates: Template[]) {
  walk(templates, new Set(), (node, [name], isSafe) => {
    if (isSafe || !name || !(node instanceof Output)) return
    const { value } = node
    node.render = function* (context, emitter) {
      const { __missing } = context.globals as { __missing?: Set<string> }
      if (isBlank(yield value.initial.evaluate(context, false))) __missing?.add(name)
      emitter.write(yield value.value(context, false))
    }
  })
}

/** The variables that sources take from outside, in order of appearance. Null when one cannot be parsed. */
export function liquidFields(sources: string[]): MergeField[] | null {
  const fields = new Map<string, boolean>()
  try {
    for (const source of sources) {
      const templates = ENGINES.text.parse(source)
      const outside = new Set(Object.keys(ENGINES.text.analyzeSync(templates).globals))
      walk(templates, new Set(), (_node, names, isSafe) => {
        for (const name of names.filter((path) => outside.has(path.split(/[.[]/)[0] ?? '')))
          fields.set(name, (fields.get(name) ?? true) && isSafe)
      })
    }
  } catch {
    return null
  }
  return [...fields].map(([name, has_fallback]) => ({ name, has_fallback }))
}

type Visit = (node: Template, names: string[], isSafe: boolean) => void

/** Visits every node with the variables it names itself; `guarded` are those a condition around it looks at. */
function walk(templates: Template[], guarded: Set<string>, visit: Visit) {
  for (const node of templates) {
    const names = ownVariables(node)
    const isOutput = node instanceof Output
    // What is assigned is as good as printed; what a condition or a loop looks at may well be absent.
    const isPrinted = isOutput || node instanceof AssignTag
    const hasDefault = isOutput
      ? node.value.filters.some((filter) => filter.name === 'default')
      : /\|\s*default\b/.test(node.token.getText())
    const isGuarded = names.length > 0 && names.every((name) => guarded.has(name))
    visit(node, names, !isPrinted || hasDefault || isGuarded)
    if (!node.children) continue
    const inner = toValueSync(node.children(false, true))
    walk(inner, new Set([...guarded, ...names]), visit)
  }
}

/** The variables in a node's own arguments, as dotted paths, without those of its children. */
function ownVariables(node: Template): string[] {
  const alone: Template = { token: node.token, render: () => '', arguments: () => node.arguments?.() ?? [] }
  return Object.values(ENGINES.text.analyzeSync([alone]).variables).flatMap((uses) => uses.map(String))
}
