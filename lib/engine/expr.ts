/**
 * The loose CEL subset of triggers, cancellations, waits and keys: paths under `event` and `async`, literals,
 * `|| && ! == != < <= > >= in + - * / %`, `a ? b : c`, lists. As on a real server a missing path is null ("" in
 * a `+` with text), `||` answers the first truthy operand and `+` joins mixed types. Anything else is refused
 * when the expression is compiled, that is at sync.
 */
type Scope = { event?: unknown; async?: unknown }
type Expression = (scope: Scope) => unknown

type Token = { kind: 'number' | 'text' | 'name' | 'sign' | 'end'; text: string }

const TOKEN =
  /\s*(?:(\d+(?:\.\d+)?)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|([A-Za-z_]\w*)|(\|\||&&|[=!<>]=|[-+*/%!<>()[\].,?:]))/y
const BINDING: Record<string, number> = {
  '||': 1,
  '&&': 2,
  '==': 3,
  '!=': 3,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  in: 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
}
const CONSTANTS: Record<string, unknown> = { true: true, false: false, null: null }

function tokenize(source: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (source.slice(at).trim() !== '') {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(source)
    if (!match) throw new SyntaxError(`unexpected "${source.slice(at).trim()[0]}" in expression: ${source}`)
    const [, number, text, name, sign] = match
    if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else if (text !== undefined)
      tokens.push({ kind: 'text', text: text.slice(1, -1).replace(/\\(.)/g, '$1') })
    else if (name !== undefined) tokens.push({ kind: 'name', text: name })
    else tokens.push({ kind: 'sign', text: sign ?? '' })
    at = TOKEN.lastIndex
  }
  return [...tokens, { kind: 'end', text: 'end' }]
}

const member = (of: unknown, key: unknown): unknown =>
  typeof of === 'object' && of !== null && Object.hasOwn(of, String(key))
    ? ((of as Record<string, unknown>)[String(key)] ?? null)
    : null

const compare = (a: unknown, b: unknown): number =>
  typeof a === 'number' && typeof b === 'number'
    ? a - b
    : typeof a === 'string' && typeof b === 'string'
      ? a < b
        ? -1
        : a > b
          ? 1
          : 0
      : Number.NaN

const same = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && a !== null && b !== null && JSON.stringify(a) === JSON.stringify(b))

const add = (a: unknown, b: unknown): unknown =>
  typeof a === 'number' && typeof b === 'number' ? a + b : text(a) + text(b)

const text = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)

function apply(sign: string, a: unknown, b: unknown): unknown {
  switch (sign) {
    case '==':
      return same(a, b)
    case '!=':
      return !same(a, b)
    case '<':
      return compare(a, b) < 0
    case '<=':
      return compare(a, b) <= 0
    case '>':
      return compare(a, b) > 0
    case '>=':
      return compare(a, b) >= 0
    case 'in':
      return Array.isArray(b)
        ? b.some((item) => same(a, item))
        : typeof b === 'object' && b !== null && Object.hasOwn(b, text(a))
    case '+':
      return add(a, b)
    case '-':
      return Number(a) - Number(b)
    case '*':
      return Number(a) * Number(b)
    case '/':
      return Number(a) / Number(b)
    default:
      return Number(a) % Number(b)
  }
}

/** Throws SyntaxError with the reason when `source` is not in the subset. */
export function compile(source: string): Expression {
  const tokens = tokenize(source)
  let at = 0
  const peek = () => tokens[at] ?? { kind: 'end', text: 'end' }
  const next = () => {
    const token = peek()
    at += 1
    return token
  }
  const fail = (token: Token): never => {
    throw new SyntaxError(`unexpected "${token.text}" in expression: ${source}`)
  }
  const is = (sign: string) => peek().kind === 'sign' && peek().text === sign
  const take = (sign: string) => (is(sign) ? next() : fail(peek()))

  function list(): Expression {
    const items: Expression[] = []
    while (!is(']')) {
      items.push(ternary())
      if (!is(']')) take(',')
    }
    next()
    return (scope) => items.map((item) => item(scope))
  }

  function primary(): Expression {
    const token = next()
    if (token.kind === 'number') return () => Number(token.text)
    if (token.kind === 'text') return () => token.text
    if (token.kind === 'name') {
      if (Object.hasOwn(CONSTANTS, token.text)) return () => CONSTANTS[token.text]
      if (token.text === 'event' || token.text === 'async')
        return (scope) => scope[token.text as keyof Scope] ?? null
      return fail(token)
    }
    if (token.text === '!') return negate(postfix())
    if (token.text === '-') {
      const of = postfix()
      return (scope) => -Number(of(scope))
    }
    if (token.text === '[') return list()
    if (token.text !== '(') return fail(token)
    const inner = ternary()
    take(')')
    return inner
  }

  function postfix(): Expression {
    let of = primary()
    while (is('.') || is('[')) {
      const from = of
      if (next().text === '.') {
        const key = next()
        if (key.kind !== 'name') fail(key)
        of = (scope) => member(from(scope), key.text)
      } else {
        const key = ternary()
        take(']')
        of = (scope) => member(from(scope), key(scope))
      }
    }
    return of
  }

  function binary(least: number): Expression {
    let left = postfix()
    for (;;) {
      const sign = peek()
      const strength = sign.kind === 'end' || sign.kind === 'text' ? undefined : BINDING[sign.text]
      if (strength === undefined || strength < least) return left
      next()
      left = join(sign.text, left, binary(strength + 1))
    }
  }

  function ternary(): Expression {
    const test = binary(1)
    if (!is('?')) return test
    next()
    const yes = ternary()
    take(':')
    const no = ternary()
    return (scope) => (test(scope) ? yes(scope) : no(scope))
  }

  const whole = ternary()
  return peek().kind === 'end' ? whole : fail(peek())
}

const negate =
  (of: Expression): Expression =>
  (scope) =>
    !of(scope)

function join(sign: string, left: Expression, right: Expression): Expression {
  if (sign === '||') return (scope) => left(scope) || right(scope)
  if (sign === '&&') return (scope) => left(scope) && right(scope)
  return (scope) => apply(sign, left(scope), right(scope))
}

const compiled = new Map<string, Expression>()

/** Evaluates `source`, compiled once per text. Whether it counts as true is the caller's question. */
export function evaluate(source: string, scope: Scope): unknown {
  let expression = compiled.get(source)
  if (!expression) {
    expression = compile(source)
    // Waits carry expressions with values of their run in them, so the texts are not a closed set.
    if (compiled.size > 2_000) compiled.clear()
    compiled.set(source, expression)
  }
  return expression(scope)
}
