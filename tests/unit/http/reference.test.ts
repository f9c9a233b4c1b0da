import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { contracts } from '#lib/contracts/all'
import type { Contract } from '#lib/contracts/contract'
import { type ExampleRequest, exampleAnswer, exampleRequest, fieldRows } from '#lib/contracts/reference'
import { exampleCode, exampleUrl } from '../../../components/reference/code.ts'

const ORIGIN = 'https://opener.test'
const all: Contract[] = [...contracts]

test('every example is a request that its contract takes', () => {
  const refused = all.flatMap((contract) => {
    const { params, query, body } = exampleRequest(contract)
    const parsed = [
      contract.params?.safeParse(params),
      contract.query?.safeParse(query),
      body === null ? undefined : contract.body?.safeParse(JSON.parse(body)),
    ]
    return parsed.flatMap((result) =>
      result && !result.success ? [`${contract.id}: ${result.error.issues[0]?.message}`] : [],
    )
  })
  expect(refused).toEqual([])
})

test('every field has a line, and every JSON answer an example', () => {
  for (const contract of all) {
    if (contract.params) expect(fieldRows(contract.params, 'input').length, contract.id).toBeGreaterThan(0)
    const isJson = contract.response !== null && !contract.file && !contract.stream
    expect(exampleAnswer(contract) !== null, contract.id).toBe(isJson)
  }
})

test('fields inside lists and objects are told of, with their limits', () => {
  const create = all.find(({ id }) => id === 'createCampaign')
  const rows = create?.body ? fieldRows(create.body, 'input') : []
  const of = (wanted: string) => rows.find(({ path: at }) => at === wanted)
  expect(of('name')).toMatchObject({ type: 'string', is_required: true, limits: ['1 to 255 characters'] })
  expect(of('daily_limit')).toMatchObject({ is_required: false, limits: ['1 to 10,000', 'default 50'] })
  expect(of('steps_config[].variants[].weight')).toMatchObject({ type: 'integer', depth: 2 })
})

test('curl, TypeScript and Python send the very request', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'opener-examples-'))
  try {
    // A `curl` that prints its arguments: the test compares what the shell makes of the example.
    const script = '#!/bin/sh\nfor word in "$@"; do printf "%s\\036" "$word"; done\nprintf "\\035"\n'
    fs.writeFileSync(path.join(folder, 'curl'), script, { mode: 0o755 })
    const requests = all.map((contract) => ({ contract, request: exampleRequest(contract) }))
    const lines = requests.map(({ contract, request }) =>
      exampleCode('curl', ORIGIN, request, contract.scope === null),
    )
    const env = {
      ...process.env,
      PATH: `${folder}${path.delimiter}${process.env.PATH}`,
      OPENER_KEY: 'opn_live_key',
    }
    const said = execFileSync('sh', ['-c', lines.join('\n')], { env, encoding: 'utf8' }).split('\x1d')
    for (const [at, { contract, request }] of requests.entries()) {
      const words = said[at]?.split('\x1e') ?? []
      expect(words, contract.id).toContain(exampleUrl(ORIGIN, request))
      if (contract.scope !== null) expect(words).toContain('Authorization: Bearer opn_live_key')
      if (request.body !== null) expect(words[words.indexOf('-d') + 1]).toBe(request.body)
      expect(words.includes('-X') ? words[words.indexOf('-X') + 1] : 'GET').toBe(contract.method)
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
})

test('a quote of any kind is sent as it was written', () => {
  const request: ExampleRequest = {
    method: 'POST',
    path: '/api/v1/templates/',
    params: {},
    query: {},
    body: JSON.stringify({ name: `it's "new" $HOME \`x\` \\ True null` }),
    form: null,
  }
  expect(exampleCode('curl', ORIGIN, request, false)).toContain(`it'\\''s`)
  expect(exampleCode('Python', ORIGIN, request, false)).toContain(`"it's \\"new\\" $HOME`)
})
