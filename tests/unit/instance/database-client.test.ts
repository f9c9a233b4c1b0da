import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (name: string) => readFileSync(`lib/db/generated/internal/${name}`)

test.each(['class.ts', 'prismaNamespace.ts'])('a process keeps each character of %s in one byte', (name) => {
  const wide = [...read(name).toString()].filter((one) => one > 'ÿ')
  expect(wide).toEqual([])
})

test('the compiler of queries is read as code, and the schema is kept without its comments', () => {
  const text = read('class.ts').toString()
  const [, schema = '""'] = /"inlineSchema": ("(?:[^"\\]|\\.)*")/.exec(text) ?? []
  expect(text).not.toContain('wasm-base64')
  expect(JSON.parse(schema)).toContain('\nmodel User {')
  expect(JSON.parse(schema)).not.toContain('//')
  expect(WebAssembly.Module.exports(new WebAssembly.Module(read('query-compiler.wasm')))).toContainEqual({
    name: 'querycompiler_new',
    kind: 'function',
  })
})
