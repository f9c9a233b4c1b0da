import {
  type Program,
  parseSync,
  type Statement,
  type TSPropertySignature,
  type VariableDeclarator,
  Visitor,
} from 'oxc-parser'
import { expect, test } from 'vitest'
import { sources } from '#tests/support/code/source-files'

/** A function is named after what it does or returns: `loadRows`, `toResult`, `stepTitle`. `rowsOf` says neither. */
const BARE_OF = /[a-z0-9]Of$/
/** Words that could describe anything. */
const EMPTY = new Set(['held', 'flow', 'look', 'found', 'hits', 'here', 'keep', 'say', 'note'])

const parse = (code: string) => parseSync('code.tsx', code).program
const files = sources()
  .filter(({ file }) => !/^(tests|prisma)\//.test(file))
  .map(({ file, code }) => ({ file, program: parse(code) }))

test('functions and exports are told from what is only called alike', () => {
  const program = parse(`
export const found = 1, rows = 2
export function here() {}
export { one as note } from 'one'
const first = text.indexOf('a')
const rowsOf = (list: string[]) => list
const lengthOf = async function () {}
const nameOf = memo((one) => one)
const placeOf = new Map()
class Store { keyOf() {} }
function* pagesOf({ hrefOf }: { hrefOf: (id: string) => string }) {}
const { statusOf } = { statusOf: () => 1 }
`)
  expect(functionNames(program).filter((name) => BARE_OF.test(name))).toEqual([
    'rowsOf',
    'lengthOf',
    'nameOf',
    'keyOf',
    'pagesOf',
    'hrefOf',
    'statusOf',
  ])
  expect(exportedNames(program)).toEqual(['found', 'rows', 'here', 'note'])
})

test('no function is named by a bare "of"', () => {
  expect(files.length).toBeGreaterThan(1000)
  const named = files.flatMap(({ file, program }) =>
    functionNames(program)
      .filter((name) => BARE_OF.test(name))
      .map((name) => `${file}: ${name}`),
  )
  expect(named).toEqual([])
})

test('nothing is exported, and no function declared, under a word that says nothing', () => {
  const empty = files.flatMap(({ file, program }) =>
    [...exportedNames(program), ...declaredNames(program)]
      .filter((name) => EMPTY.has(name))
      .map((name) => `${file}: ${name}`),
  )
  expect([...new Set(empty)]).toEqual([])
})

test('no variable is called by a word that says nothing', () => {
  const program = parse('const held = 1; function read() { let look = 2; const found = 3; return { found } }')
  expect(emptyVariables(program)).toEqual(['look'])
  expect(
    files.flatMap(({ file, program }) => emptyVariables(program).map((name) => `${file}: ${name}`)),
  ).toEqual([])
})

/**
 * Skips variables that fill a field of the same name (`{ found }`), and the words `held` (a text that waits for approval), `hits` (of a
 * search or a link) and `note` (of an invitation), which are field names of the product.
 */
function emptyVariables(program: Program): string[] {
  const [declared, fields] = [new Set<string>(), new Set<string>()]
  const declare = ({ id }: VariableDeclarator) => void (id.type === 'Identifier' && declared.add(id.name))
  const fill = ({ shorthand, value }: { shorthand: boolean; value: NonNullable<Named> }) =>
    void (shorthand && value.type === 'Identifier' && fields.add(String(value.name)))
  new Visitor({ VariableDeclarator: declare, Property: fill }).visit(program)
  const words = ['flow', 'look', 'found', 'here', 'keep', 'say']
  return words.filter((name) => declared.has(name) && !fields.has(name))
}

/** Names of declared functions, and of constants and members of objects, classes and types that hold a function. */
function functionNames(program: Program): string[] {
  const names: { name: string; at: number }[] = []
  const take = (key: Named) => {
    if (key?.type === 'Identifier' && typeof key.name === 'string')
      names.push({ name: key.name, at: key.start })
  }
  const declared = ({ id }: { id: Named }) => take(id)
  const assigned = ({ id, init }: { id: Named; init: Node }) => givesFunction(init) && take(id)
  const valued = ({ key, value }: { key: Named; value: Node }) => givesFunction(value) && take(key)
  const method = ({ key }: { key: Named }) => take(key)
  const typed = ({ key, typeAnnotation }: TSPropertySignature) =>
    typeAnnotation?.typeAnnotation.type === 'TSFunctionType' && take(key)
  new Visitor({
    FunctionDeclaration: declared,
    VariableDeclarator: assigned,
    Property: valued,
    PropertyDefinition: valued,
    MethodDefinition: method,
    TSMethodSignature: method,
    TSPropertySignature: typed,
  }).visit(program)
  return names.toSorted((a, b) => a.at - b.at).map(({ name }) => name)
}

type Node = { type: string; arguments?: { type: string }[] } | null
type Named = { type: string; name?: unknown; start: number } | null

/** A function, or a call that wraps one: `memo((one) => …)`. */
const givesFunction = (node: Node): boolean =>
  node?.type === 'ArrowFunctionExpression' ||
  node?.type === 'FunctionExpression' ||
  (node?.type === 'CallExpression' && node.arguments?.[0]?.type === 'ArrowFunctionExpression')

const exportedNames = ({ body }: Program): string[] =>
  body.flatMap((one) =>
    one.type === 'ExportNamedDeclaration'
      ? [
          ...namesIn(one.declaration),
          ...one.specifiers.flatMap(({ exported }) => ('name' in exported ? [exported.name] : [])),
        ]
      : [],
  )

/** Names of functions declared at the top level of a file. */
const declaredNames = ({ body }: Program): string[] =>
  body.filter(({ type }) => type === 'FunctionDeclaration').flatMap(namesIn)

function namesIn(one: Statement | null): string[] {
  if (one?.type === 'FunctionDeclaration') return one.id ? [one.id.name] : []
  if (one?.type !== 'VariableDeclaration') return []
  return one.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
}
