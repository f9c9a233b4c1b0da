// npm run hostile: hostile inputs on every door of a running instance, and how long /health waited beside each; written to
// tools/bench/hostile.md. It fails where /health waited too long, or where a door answered before the input was read.
// DATA_DIR names the instance. Start it with RATE_LIMIT_READ, RATE_LIMIT_WRITE and RATE_LIMIT_AI far up, or the limits
// answer instead of what is behind them; with UNIPILE_DSN, UNIPILE_API_KEY and UNIPILE_WEBHOOK_SECRET, STRIPE_SECRET_KEY
// and STRIPE_WEBHOOK_SECRET (made up ones will do) in the environment of both, or their webhooks are left out. A person is
// made for it in the instance's database, and removed at the end.
import { createHmac, randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { readRunFile } from '#scripts/up/run-file'
import { ROOT, readSettings } from '#scripts/up/settings'

const FILE = path.join(ROOT, 'tools/bench/hostile.md')
const SIZE = 200_000
const MOST_STALL_MS = 300
const SIGN_INS = 200
/** Arriving mail is looked for each minute. */
const POLLED_AFTER_MS = 75_000
/** What stands before the door itself answers: the input behind it met nothing. */
const NOT_REACHED = [401, 404, 405, 406, 409, 415, 429]

const run = readRunFile(readSettings().dataFolder)
if (!run) {
  console.error('Opener does not run: start it with `npm run up` in another terminal.')
  process.exit(1)
}
const { url } = run
Object.assign(process.env, run.env)
// Only now: they read the environment.
const { db, closeDatabase } = await import('#lib/db/client')
const { createUserWithPassword } = await import('#lib/services/workspaces/users')
const { issueToken } = await import('#lib/services/workspaces/tokens')
const { deliverRaw } = await import('#lib/providers/mail/deliver')
const { sandboxCredentials } = await import('#lib/providers/mail/sandbox-credentials')
const { anAccount } = await import('#tests/support/scenes/factories')
const { HOSTILE_FILES } = await import('#tests/support/files/hostile-files')
const { aShowcase } = await import('#tests/support/scenes/showcase')

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

type Answer = { status: number; text(): Promise<string> }
type Door = (text: string) => Promise<Answer>
type Row = { door: string; input: string; status: number; took_ms: number; stall_ms: number }

/** Doors for which such an answer is the right one: there was nothing to find, or nobody to let in. */
const RIGHT: Record<string, number[]> = {
  'a credential': [401],
  'a tracked link': [404],
  'an unsubscribe link': [404],
  [`${SIGN_INS} sign-ins at once, from one place`]: [401],
  [`${SIGN_INS} sign-ins at once, from as many places`]: [401],
}

const email = `hostile-${randomUUID().slice(0, 8)}@example.com`
const person = await createUserWithPassword(email, 'Dana Demo', randomUUID())
if (!person) throw new Error(`${email} exists already.`)
const load = () => (os.loadavg()[0] ?? 0).toFixed(1)
const loadBefore = load()
const rows: Row[] = []
const leftOut: string[] = []
try {
  const owner = { user_id: person.user_id, email }
  const ids = await aShowcase(owner, new Date())
  const token = await issueToken(person.user_id, new Date())
  const social = await anAccount(owner, { driver: 'unipile', provider_account_id: randomUUID() })
  const watch = watchHealth(`${url}/api/v1/health`)
  const doors = { ...doorsOf(token, ids), ...webhooksOf(social.provider_account_id) }
  // The first call of each loads what stands behind it; that is no fault of its input.
  for (const knock of Object.values(doors)) await (await knock('Hello')).text()
  for (const [door, knock] of Object.entries(doors))
    for (const [input, unit] of Object.entries(INPUTS)) {
      const text = unit.repeat(Math.ceil(SIZE / unit.length)).slice(0, SIZE)
      rows.push(await tried(door, input, () => knock(text), watch))
    }
  for (const [input, filename, make] of HOSTILE_FILES) {
    const file = new File([make() as BlobPart], filename)
    const upload = () => uploaded(token, '/upload/excel/preview', file)
    // While it was made nothing was heard here: not even that the server let go of a connection.
    await new Promise((resolve) => setTimeout(resolve, 100))
    rows.push(await tried('previewSpreadsheet, files made to cost', input, upload, watch))
  }
  rows.push(...(await signIns(watch)))
  rows.push(
    await tried(
      'the mails and answers above, read',
      'all',
      () => new Promise((resolve) => setTimeout(resolve, POLLED_AFTER_MS, new Response(''))),
      watch,
    ),
  )
  await watch.end()
} finally {
  await db.user.delete({ where: { user_id: person.user_id } })
  await closeDatabase()
}
fs.writeFileSync(FILE, `${sheet(rows)}\n`)
const longest = Math.max(...rows.map(({ stall_ms }) => stall_ms))
const missed = rows.filter(
  ({ door, status }) => NOT_REACHED.includes(status) && !RIGHT[door]?.includes(status),
)
for (const { door, input, status } of missed) console.error(`${door} was not reached by ${input}: ${status}`)
console.log(`${rows.length} inputs; /health waited ${longest} ms at most. ${path.relative(ROOT, FILE)}`)
process.exit(missed.length > 0 || longest > MOST_STALL_MS ? 1 : 0)

function uploaded(token: string, at: string, file: File): Promise<Response> {
  const form = new FormData()
  form.set('file', file)
  const headers = { authorization: `Bearer ${token}` }
  return fetch(`${url}/api/v1${at}`, { method: 'POST', headers, body: form })
}

function doorsOf(token: string, ids: Record<string, string>): Record<string, Door> {
  const asked = (method: string, at: string, body: unknown) =>
    fetch(`${url}${at}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const call = (method: string, params: unknown) =>
    asked('POST', '/mcp', { jsonrpc: '2.0', id: 1, method, params })
  const api = '/api/v1'
  return {
    'createTemplate, body': (text) =>
      asked('POST', `${api}/templates/`, {
        name: 'x',
        content: { subject: 's', body: text.slice(0, 100_000) },
      }),
    'createTemplate, subject': (text) =>
      asked('POST', `${api}/templates/`, { name: 'x', content: { subject: text.slice(0, 998), body: 'b' } }),
    'createTemplate, subject over its limit': (text) =>
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
    'addSuppressions, one value': (text) =>
      asked('POST', `${api}/suppressions`, { values: [`${text.slice(0, 200)}@example.com`] }),
    'addSuppressions, ten thousand': (text) =>
      asked('POST', `${api}/suppressions`, {
        values: Array.from({ length: 10_000 }, (_, at) => `${text.slice(0, 40)}${at}@example.com`),
      }),
    'addSuppressions, over the limit': (text) =>
      asked('POST', `${api}/suppressions`, { values: [text.slice(0, 3_000)] }),
    'createWebhook, address': (text) =>
      asked('POST', `${api}/webhooks`, {
        url: `https://example.com/${text.slice(0, 1_900)}`,
        events: ['lead.replied'],
      }),
    'createWebhook, host': (text) =>
      asked('POST', `${api}/webhooks`, { url: `https://${text.slice(0, 1_900)}`, events: ['lead.replied'] }),
    agentChat: (text) => asked('POST', `${api}/agent/chat`, { message: text.slice(0, 8_000) }),
    'previewSpreadsheet, csv': (text) =>
      uploaded(token, '/upload/excel/preview', new File([`email,note\na@b.example,"${text}"`], 'x.csv')),
    'importSpreadsheet, csv': (text) => uploaded(token, '/upload/excel', new File([text], 'x.csv')),
    'malformed JSON': (text) => asked('POST', `${api}/templates/`, `{"name": "${text}`),
    'a method by MCP': (text) => call(text, { name: text }),
    'a tool by MCP': (text) => call('tools/call', { name: 'search', arguments: { q: text } }),
    'a file by MCP': (text) =>
      call('tools/call', {
        name: 'previewSpreadsheet',
        arguments: { file: { filename: 'x.csv', content_base64: text } },
      }),
    'a tracked link': (text) => fetch(`${url}/t/c/${encodeURIComponent(text.slice(0, 4_000))}`),
    'an unsubscribe link': (text) =>
      fetch(`${url}/unsubscribe/${encodeURIComponent(text.slice(0, 4_000))}`, {
        method: 'POST',
        body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
      }),
    'a comment on unsubscribing': (text) =>
      fetch(`${url}/unsubscribe/${ids.unsubscribe}`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ intent: 'unsubscribe', comment: text.slice(0, 4_000) }),
      }),
    'a credential': (text) =>
      fetch(`${url}${api}/auth/me`, { headers: { authorization: `Bearer ${btoa(text).slice(0, 8_000)}` } }),
    'an answer by mail': (text) =>
      asked('POST', `${api}/sandbox/messages/${ids.message}/answer`, {
        kind: 'reply',
        text: text.slice(0, 10_000),
      }),
    'a mail of HTML': (text) => mailed(ids.mailbox ?? '', 'text/html', text),
    'a mail with such a header': (text) =>
      mailed(ids.mailbox ?? '', 'text/plain', 'Hello', `X-Much: ${text.replaceAll('\n', '\r\n ')}\r\n`),
  }
}

/** To a mailbox of the sandbox, as any mail server would bring it. */
async function mailed(mailbox_id: string, type: string, text: string, head = ''): Promise<Answer> {
  const lines = text.replaceAll(/[^\n]{900}/g, '$&\r\n')
  const raw = `From: stranger@example.com\r\nTo: ${email}\r\nSubject: Re: a thought\r\nMessage-ID: <${randomUUID()}@example.com>\r\n${head}MIME-Version: 1.0\r\nContent-Type: ${type}; charset=utf-8\r\n\r\n${lines}\r\n`
  const { outcome } = await deliverRaw(
    Number(process.env.SANDBOX_SMTP_PORT),
    { from: 'stranger@example.com', to: email },
    raw,
    sandboxCredentials({ role: 'to', mailbox_id }, process.env.ENCRYPTION_KEY ?? ''),
  )
  return new Response('', { status: outcome === 'accepted' ? 202 : 406 })
}

/** The webhooks of Unipile and Stripe, vouched for as theirs are: what a stranger sends is not looked at. */
function webhooksOf(account_id: string): Record<string, Door> {
  const { UNIPILE_WEBHOOK_SECRET: unipile, STRIPE_WEBHOOK_SECRET: stripe } = process.env
  if (!unipile) leftOut.push('social messages by webhook')
  if (!stripe) leftOut.push('events of Stripe')
  const posted = (at: string, headers: HeadersInit, body: string) =>
    fetch(`${url}${at}`, { method: 'POST', headers, body })
  const message = (text: string) => ({
    event: 'message_received',
    account_id,
    chat_id: randomUUID(),
    message_id: randomUUID(),
    message: text,
    timestamp: new Date().toISOString(),
    sender: { attendee_provider_id: 'stranger', attendee_name: text.slice(0, 500) },
    attendees: [{ attendee_provider_id: 'stranger', attendee_name: 'x' }],
  })
  const signedForStripe = (body: string) => {
    const t = Math.floor(Date.now() / 1_000)
    const v1 = createHmac('sha256', stripe ?? '')
      .update(`${t}.${body}`)
      .digest('hex')
    return { 'stripe-signature': `t=${t},v1=${v1}` }
  }
  return {
    ...(unipile && {
      'social messages by webhook': (text: string) =>
        posted('/api/social/unipile', { 'unipile-auth': unipile }, JSON.stringify(message(text))),
      'social webhook, malformed': (text: string) =>
        posted('/api/social/unipile', { 'unipile-auth': unipile }, `{"event": ${text}`),
    }),
    ...(stripe && {
      'events of Stripe': (text: string) => {
        const object = { customer: text.slice(0, 200), text }
        const body = JSON.stringify({ object: 'event', type: text.slice(0, 200), data: { object } })
        return posted('/api/billing/stripe', signedForStripe(body), body)
      },
    }),
  }
}

/** Guesses at many accounts at once, by the form that programs guess with too. */
async function signIns(watch: Watch): Promise<Row[]> {
  const fresh = await fetch(`${url}/api/auth/csrf`)
  const { csrfToken } = (await fresh.json()) as { csrfToken: string }
  const cookie = fresh.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const guess = (at: number, place: string) =>
    fetch(`${url}/api/auth/callback/credentials`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, 'x-forwarded-for': place },
      body: new URLSearchParams({
        csrfToken,
        json: 'true',
        email: `guess-${at}@example.com`,
        password: randomUUID(),
      }),
    })
  const all = async (placeOf: (at: number) => string) => {
    const answers = await Promise.all(Array.from({ length: SIGN_INS }, (_, at) => guess(at, placeOf(at))))
    for (const answer of answers) await answer.text()
    return new Response('', { status: Math.max(...answers.map(({ status }) => status)) })
  }
  const door = `${SIGN_INS} sign-ins at once, from`
  return [
    await tried(`${door} one place`, 'guesses', () => all(() => '203.0.113.7'), watch),
    await tried(`${door} as many places`, 'guesses', () => all((at) => `198.51.${at}.7`), watch),
  ]
}

async function tried(door: string, input: string, knock: () => Promise<Answer>, watch: Watch): Promise<Row> {
  watch.longest()
  const begun = performance.now()
  const answer = await knock()
  await answer.text()
  const took_ms = Math.round(performance.now() - begun)
  return { door, input, status: answer.status, took_ms, stall_ms: watch.longest() }
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
  const without =
    leftOut.length > 0 ? ` Left out, since the instance has no secret for them: ${leftOut.join(', ')}.` : ''
  const lines = byDoor.map(([door, tries = []]) => {
    const worst = tries.reduce((one, other) => (other.stall_ms > one.stall_ms ? other : one))
    const statuses = [...new Set(tries.map(({ status }) => status))].toSorted().join(', ')
    const slowest = Math.max(...tries.map(({ took_ms }) => took_ms))
    return `| ${door} | ${tries.length} | ${statuses} | ${slowest} ms | ${worst.stall_ms} ms (${worst.input}) |`
  })
  return `# Hostile inputs, and how long /health waited beside them

Measured by \`npm run hostile\` on a running production build on ${new Date().toISOString().slice(0, 10)}: ${cpu.length} × ${cpu[0]?.model.trim() ?? 'CPU'}.
${all.length} inputs of up to ${SIZE.toLocaleString('en')} characters; each door was opened once before. Goal: /health waits ${MOST_STALL_MS} ms at most. Load of the machine: ${loadBefore} when it began, ${load()} when it ended; the tool itself runs on it too.${without}

| door | inputs | answered with | slowest answer | longest wait of /health |
| --- | --- | --- | --- | --- |
${lines.join('\n')}`
}
