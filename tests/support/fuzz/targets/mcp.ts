import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import { AppError, ValidationError } from '#lib/errors'
import { type Arguments, rawInput, toolNamed, tools, toRefusal } from '#lib/http/mcp/call'
import { lacksFile } from '#lib/http/mcp/upload'
import { parseInput } from '#lib/http/parse'
import {
  promise,
  promiseCleanPrototypes,
  type Target,
  textOf,
  unlessRefused,
} from '#tests/support/fuzz/target'
import { hostileWords } from '#tests/support/fuzz/targets/json-words'

const checked = (name: string, given: Arguments) => {
  const tool = toolNamed(name)
  return lacksFile(name, given) || parseInput(tool.contract, rawInput(tool, given))
}

/** The product's server without side effects: a call ends once its arguments are parsed. */
const handler = createMcpHandler(() => {
  const server = new Server({ name: 'opener', version: '1.0.0' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', () => ({
    tools: [...tools.values()].slice(0, 2).map(({ tool }) => tool),
  }))
  server.setRequestHandler('tools/call', async ({ params }) => {
    const read = await unlessRefused(
      () => checked(params.name, params.arguments ?? {}),
      AppError,
      ValidationError,
    ).then(
      (value) => ({ value, isError: value === null }),
      (error: unknown) => {
        broken = error
        return { value: toRefusal(error), isError: true }
      },
    )
    return {
      content: [{ type: 'text' as const, text: JSON.stringify(read.value) ?? '' }],
      isError: read.isError,
    }
  })
  return server
}, {})
let broken: unknown = null

const message = (method: string, params: object, id: unknown = 1) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params })

/** One protocol message: the answer has the protocol's form and is never an internal error. */
export const mcp: Target = {
  name: 'mcp',
  max: 16 * 1024,
  seeds: () => [
    message('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    }),
    message('tools/list', {}),
    message('tools/call', { name: 'createTemplate', arguments: { name: 'T', subject: 'x', body: 'y' } }),
    message('tools/call', {
      name: 'importSpreadsheet',
      arguments: { file: { filename: 'a.csv', content_base64: 'YSxi' }, mapping: '{"a":"email"}' },
    }),
    message('tools/call', {
      name: 'launchCampaign',
      arguments: { campaign_id: '00000000-0000-4000-8000-000000000000', confirmation_token: 'x' },
    }),
    message('notifications/cancelled', { requestId: 1 }, undefined),
    `[${message('ping', {})},${message('ping', {}, null)}]`,
  ],
  words: [
    ...hostileWords,
    '"method":"',
    'tools/call',
    'tools/list',
    'initialize',
    'resources/read',
    'prompts/get',
    'logging/setLevel',
    'completion/complete',
    '"params":',
    '"arguments":',
    '"_meta":{"progressToken":',
    '"jsonrpc":"2.0"',
    '"content_base64":"',
    '"text":"',
    '"filename":"',
    ...[...tools.keys()].slice(0, 40),
  ],
  async run(input) {
    let parsedBody: unknown
    try {
      parsedBody = JSON.parse(textOf(input))
    } catch {
      return
    }
    broken = null
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const answer = await handler.fetch(
      new Request('http://opener.test/mcp', { method: 'POST', headers, body: '{}' }),
      { parsedBody },
    )
    const text = await answer.text()
    if (broken) throw broken
    promise(answer.status < 500, `no fault of ours: ${answer.status} ${text.slice(0, 300)}`)
    promise(!text.includes('node_modules') && !text.includes('at Object.'), 'no stack in an answer')
    promiseCleanPrototypes()
  },
}
