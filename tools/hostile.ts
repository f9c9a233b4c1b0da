// npm run hostile: hostile inputs on every door of a running instance, and how long /health waited beside each; written to
// tools/bench/hostile.md. DATA_DIR names the instance. Start it with RATE_LIMIT_WRITE and RATE_LIMIT_AI far up, or the
// limits answer instead of what is behind them. A person is made for it in the instance's database, and removed at the end.
import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { readRunFile } from '#scripts/up/run-file'
import { ROOT, readSettings } from '#scripts/up/settings'

const FILE = path.join(ROOT, 'tools/bench/hostile.md')
const SIZE = 200_000
/** Arriving mail is looked for each minute. */
const POLLED_AFTER_MS = 75_000

const run = readRunFile(readSettings().dataFolder)
if (!run) {
  console.error('Opener does not run: start it with `npm run up` in another terminal.')
  process.exit(1)
}
const { url } = run
Object.assign(process.env, run.env)
// Only now: they read the environment.
const { db, closeDatabase } = await import('#lib/db/client')
const { createUserWithPassword } = await import('#lib/services/users')
const { issueToken } = await import('#lib/services/tokens')
const { aShowcase } = await import('#tests/support/showcase')

/** Each fills its door up to SIZE; what a door caps earlier is refused there, and that is an answer too. */
const INPUTS: Record<string, string> = {
  'one letter': 'a',
  blanks: ' ',
  'line ends': '\n',
  'letter and tag': 'a <b>',
  paragraphs: '<p>a</p>',
  'tags never closed': '<a ',
  comments: '<!--',
  'merge fields': '{{a}}',
  'fields on lines': '\n{{ a }}',
  'conditions inside each other': '{% if a %}',
  spintax: '{a|b',
  'an unsubscribe wish': 'dear ,,,',
  'marks of an address': 'a@',
  'signs of base64': '=',
  exclamations: '!!!',
  brackets: '[[',
  quotes: '> "',
  'full stops': 'a.',
}

type Door = (text: string) => Promise<Response>
type Row = { door: string; input: string; status: number; took_ms: number; stall_ms: number }

const email = `hostile-${randomUUID().slice(0, 8)}@example.com`
const person = await createUserWithPassword(email, 'Dana Demo', randomUUID())
if (!person) throw new Error(`${email} exists already.`)
const rows: Row[] = []
try {
  const ids = await aShowcase({ user_id: person.user_id, email }, new Date())
  const token = await issueToken(person.user_id, new Date())
  const watch = watchHealth(`${url}/api/v1/health`)
  for (const [door, knock] of Object.entries(doorsOf(token, ids)))
    for (const [input, unit] of Object.entries(INPUTS))
      rows.push(await tried(door, input, unit, knock, watch))
  watch.longest()
  await new Promise((resolve) => setTimeout(resolve, POLLED_AFTER_MS))
  const stall_ms = watch.longest()
  rows.push({
    door: 'the answers above, read as mail',
    input: 'all',
    status: 200,
    took_ms: POLLED_AFTER_MS,
    stall_ms,
  })
  await watch.end()
} finally {
  await db.user.delete({ where: { user_id: person.user_id } })
  await closeDatabase()
}
fs.writeFileSync(FILE, `${sheet(rows)}\n`)
const longest = Math.max(...rows.map(({ stall_ms }) => stall_ms))
console.log(`${rows.length} inputs; /health waited ${longest} ms at most. ${path.relative(ROOT, FILE)}`)
process.exit(0)

function doorsOf(token: string, ids: Record<string, string>): Record<string, Door> {
  const asked = (method: string, at: string, body: unknown) =>
    fetch(`${url}${at}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const uploaded = (at: string, name: string, text: string) => {
    const form = new FormData()
    form.set('file', new File([text], name))
    return fetch(`${url}${at}`, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form })
  }
  const api = '/api/v1'
  return {
    'createTemplate, body': (text) =>
      asked('POST', `${api}/templates/`, {
        name: 'x',
        content: { subject: 's', body: text.slice(0, 100_000) },
      }),
    'createTemplate, subject': (text) =>
      asked('POST', `${api}/templates/`, { name: 'x', content: { subject: text, body: 'b' } }),
    'updateCampaign, text of a step': (text) =>
      asked('PATCH', `${api}/campaigns/${ids.draft}`, {
        steps_config: [{ subject: 's', message_template: text.slice(0, 100_000) }],
      }),
    'launch checks of that text': () =>
      asked('GET', `${api}/campaigns/${ids.draft}/launch-checks`, undefined),
    createSenderProfile: (text) =>
      asked('POST', `${api}/sender-profiles/`, {
        profile_name: 'x',
        sender_data: { [text.slice(0, 900)]: text },
      }),
    addSuppressions: (text) => asked('POST', `${api}/suppressions`, { values: [text.slice(0, 2_000)] }),
    'createWebhook, address': (text) =>
      asked('POST', `${api}/webhooks`, { url: `https://${text.slice(0, 2_000)}`, events: ['lead.replied'] }),
    agentChat: (text) => asked('POST', `${api}/agent/chat`, { message: text.slice(0, 8_000) }),
    'previewSpreadsheet, csv': (text) =>
      uploaded(`${api}/upload/excel/preview`, 'x.csv', `email,note\na@b.example,"${text}"`),
    'importSpreadsheet, csv': (text) => uploaded(`${api}/upload/excel`, 'x.csv', text),
    'malformed JSON': (text) => asked('POST', `${api}/templates/`, `{"name": "${text}`),
    'a call by MCP': (text) =>
      asked('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: text, params: { name: text } }),
    'a tracked link': (text) => fetch(`${url}/t/c/${encodeURIComponent(text.slice(0, 4_000))}`),
    'a credential': (text) =>
      fetch(`${url}${api}/auth/me`, { headers: { authorization: `Bearer ${btoa(text).slice(0, 8_000)}` } }),
    'an answer by mail': (text) =>
      asked('POST', `${api}/sandbox/messages/${ids.message}/answer`, {
        kind: 'reply',
        text: text.slice(0, 10_000),
      }),
  }
}

async function tried(door: string, input: string, unit: string, knock: Door, watch: Watch): Promise<Row> {
  const text = unit.repeat(Math.ceil(SIZE / unit.length)).slice(0, SIZE)
  watch.longest()
  const begun = performance.now()
  const response = await knock(text)
  await response.text()
  const took_ms = Math.round(performance.now() - begun)
  return { door, input, status: response.status, took_ms, stall_ms: watch.longest() }
}

type Watch = { longest(): number; end(): Promise<unknown> }

/** Asks again and again, from a thread of its own: what this process does is no wait of the instance. */
function watchHealth(address: string): Watch {
  const shared = new Float64Array(new SharedArrayBuffer(16))
  const code = `const { workerData: { shared, address } } = require('node:worker_threads')
    ;(async () => {
      for (;;) {
        shared[1] = performance.now() + performance.timeOrigin
        await fetch(address).then((response) => response.text())
        const took = performance.now() + performance.timeOrigin - shared[1]
        if (took > shared[0]) shared[0] = took
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    })()`
  const worker = new Worker(code, { eval: true, workerData: { shared, address } })
  return {
    /** The longest wait since it was last asked, one that has not ended yet included. */
    longest() {
      const under_way = shared[1] ? performance.now() + performance.timeOrigin - (shared[1] ?? 0) : 0
      const longest = Math.max(shared[0] ?? 0, Math.min(under_way, 60_000))
      shared[0] = 0
      return Math.round(longest)
    },
    end: () => worker.terminate(),
  }
}

function sheet(all: Row[]): string {
  const byDoor = Object.entries(Object.groupBy(all, ({ door }) => door))
  const cpu = os.cpus()
  const lines = byDoor.map(([door, tries = []]) => {
    const worst = tries.reduce((one, other) => (other.stall_ms > one.stall_ms ? other : one))
    const statuses = [...new Set(tries.map(({ status }) => status))].toSorted().join(', ')
    const slowest = Math.max(...tries.map(({ took_ms }) => took_ms))
    return `| ${door} | ${tries.length} | ${statuses} | ${slowest} ms | ${worst.stall_ms} ms (${worst.input}) |`
  })
  return `# Hostile inputs, and how long /health waited beside them

Measured by \`npm run hostile\` on a running production build on ${new Date().toISOString().slice(0, 10)}: ${cpu.length} × ${cpu[0]?.model.trim() ?? 'CPU'}.
${all.length} inputs of up to ${SIZE.toLocaleString('en')} characters; goal: /health waits less than 300 ms. Load when it ended: ${(os.loadavg()[0] ?? 0).toFixed(1)}.

| door | inputs | answered with | slowest answer | longest wait of /health |
| --- | --- | --- | --- | --- |
${lines.join('\n')}`
}
