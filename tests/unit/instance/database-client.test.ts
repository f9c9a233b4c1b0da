import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (name: string) => readFileSync(`lib/db/generated/internal/${name}`)

test.each(['class.ts', 'prismaNamespace.ts'])('a process keeps each character of %s in one byte', (name) => {
  const wide = [...read(name).toString()].filter((one) => one > 'ÿ')
  expect(wide).toEqual([])
})

test('the schema is kept without its comments', () => {
  const [, schema = '""'] = /"inlineSchema": ("(?:[^"\\]|\\.)*")/.exec(read('class.ts').toString()) ?? []
  expect(JSON.parse(schema)).toContain('\nmodel User {')
  expect(JSON.parse(schema)).not.toContain('//')
})
