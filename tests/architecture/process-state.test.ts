import { type Expression, parseSync, type Statement } from 'oxc-parser'
import { expect, test } from 'vitest'
import { sources } from '#tests/support/code/source-files'

/**
 * Mutable state at the top level of a module exists once per copy of the module, and the web process has two (see
 * lib/process-state.ts). So it is kept in `processState`, or listed here with the reason why two copies do no harm.
 */
const TWICE_IS_FINE: Record<string, string> = {
  'inngest/beside/main.ts busy': 'The entry of a process, which is loaded once.',
  'inngest/beside/main.ts server': 'The entry of a process, which is loaded once.',
  'inngest/beside/main.ts underWay': 'The entry of a process, which is loaded once.',
  'inngest/door.ts reading': 'Where Node itself serves, the framework never calls this door.',
  'inngest/main.ts server': 'The entry of a process, which is loaded once.',
  'lib/db/free-port.ts next': 'A start: each port is tried before it is given.',
  'lib/db/prepared.ts names': 'A name is made of the statement alone: both copies make the same.',
  'lib/db/seal.ts derived': 'Derived from the secret alone.',
  'lib/db/seal.ts masters': 'Derived from the secret alone.',
  'lib/domain/enrichment/address-quality.ts disposable': 'Read from a package, never changed.',
  'lib/domain/enrichment/country.ts byName': 'Read from a package, never changed.',
  'lib/domain/enrichment/zone-name.ts byName': 'Read from a package and the runtime, never changed.',
  'lib/domain/datasets/header-names.ts FIELD_BY_KEY': 'Filled at load, never changed.',
  'lib/domain/inbox/phrases.ts last': 'A text read twice is the same.',
  'lib/domain/messages/liquid.ts parsedTemplates': 'A template parsed twice is the same.',
  'lib/domain/tokens/signed-token.ts taken': 'Of objects that a copy has itself.',
  'lib/domain/calendar/zoned-time.ts zones': 'Read from the platform, never changed.',
  'lib/engine/main.ts stopping': 'The entry of a process, which is loaded once.',
  'lib/env.ts known': 'Read from the environment, which stays.',
  'lib/http/log.ts logger': 'Writes each line to stdout at once, whole.',
  'app/main.ts isStopping': 'The entry of a process, which is loaded once.',
  'app/main.ts meant': 'The entry of a process, which is loaded once.',
  'app/main.ts pageTurn': 'The entry of a process, which is loaded once.',
  'app/main.ts server': 'The entry of a process, which is loaded once.',
  'lib/http/mcp/server.ts handler': 'Keeps nothing between two calls; only one door of the process uses it.',
  'lib/http/metrics.ts last': 'Readings of the last seconds; only one door of the process serves them.',
  'lib/providers/mail/dkim.ts keys': 'Of objects that a copy has itself.',
  'lib/providers/mail/smtp.ts keys': 'Of objects that a copy has itself.',
  'lib/providers/mail/sandbox-server.ts server': 'The entry of a process, which is loaded once.',
  'lib/providers/outbound.ts globalUnicast': 'Filled at load, never changed.',
  'lib/providers/outbound.ts special': 'Filled at load, never changed.',
  'lib/providers/reader/hosts.ts alive': 'Each copy ends the processes that it began.',
  'lib/providers/reader/hosts.ts isListening': 'Each copy ends the processes that it began.',
  'lib/providers/spreadsheet/cell-text.ts isoDays': 'A day written twice is the same.',
  'lib/services/billing/subscriptions.ts provider': 'Keeps nothing between two calls.',
  'lib/services/campaigns/days/holidays.ts known': 'Dates of a library, reckoned again and the same.',
  'lib/services/inbox/bounce-server.ts server': 'The entry of a process, which is loaded once.',
  'lib/services/workspaces/sign-in/demo-account.ts known':
    'Whether a hash is that of the demo password never changes.',
  'lib/services/campaigns/tracking.ts opens': 'Each copy stores the opens that it was asked to store.',
  'lib/services/files/storage.ts made': 'Keeps nothing between two calls.',
  'lib/services/instance/versioned-edit.ts unchangedRows': 'Of objects that a copy has itself.',
  'lib/services/instance/live-versions.ts looks': 'Versions of the last second; only pages ask for them.',
  'lib/services/personalize/writer.ts known': 'Keeps nothing between two calls.',
  'lib/services/workspaces/tokens.ts remoteKeys':
    'Published keys of an issuer, fetched again when they are old.',
}

/** Initial values that hold mutable state: an empty collection, or the result of one of our factories. */
const COLLECTIONS = /^(Map|Set|WeakMap|WeakSet|BlockList|[A-Z]\w*Pool|Pool)$/
const MAKERS = /^(create|make|open|start)[A-Z]/
const PURE = new Set(['createHash', 'createRequire'])

function isChanging(init: Expression | null | undefined): boolean {
  if (init?.type === 'NewExpression' && init.callee.type === 'Identifier')
    return COLLECTIONS.test(init.callee.name) && init.arguments.length === 0
  if (init?.type !== 'CallExpression' || init.callee.type !== 'Identifier') return false
  return MAKERS.test(init.callee.name) && !PURE.has(init.callee.name)
}

/** Top-level names that are reassigned, or that hold mutable state. */
function changing(code: string, file = 'x.ts'): string[] {
  const { program } = parseSync(file, code)
  const declared = (statement: Statement) =>
    statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
  return program.body.flatMap((statement) => {
    const declaration = declared(statement as Statement)
    if (declaration?.type !== 'VariableDeclaration') return []
    return declaration.declarations
      .filter(({ init }) => declaration.kind === 'let' || isChanging(init))
      .flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
  })
}

const house = sources().filter(({ file }) => /^(lib|app|inngest)\//.test(file))

test('the reader of modules sees what changes, and nothing else', () => {
  const code = `
let a: string | undefined
export let b = 1
const c = new Map<string, string>()
export const d = new Set()
const e = createGate({ at_once: 2 })
const f = new pg.Pool()
const g = new Map([['x', 1]])
const h = processState('x', () => new Map())
const i = 'text'
const j = createHash('sha256')
function k() { let inner = 1; return inner }`
  expect(changing(code)).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('what changes at the top of a module exists once in a process, or twice without harm', () => {
  const found = house.flatMap(({ file, code }) => changing(code, file).map((name) => `${file} ${name}`))
  expect(found.toSorted()).toEqual(Object.keys(TWICE_IS_FINE).toSorted())
})

test('only lib/process-state.ts writes what all copies see', () => {
  const others = house.filter(({ code }) => /\bglobalThis\b|\bSymbol\.for\(/.test(code))
  expect(others.map(({ file }) => file)).toEqual(['lib/process-state.ts'])
})

test('each name is said in one place, so that it stands for one type', () => {
  const names = house.flatMap(({ code }) => [...code.matchAll(/processState\(\s*(['"`][^'"`]+['"`])/g)])
  const said = names.map(([, name]) => name)
  expect(said.length).toBeGreaterThan(6)
  expect(said).toEqual([...new Set(said)])
})
