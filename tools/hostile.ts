// npm run hostile: hostile inputs on every door of a running instance, and how long /health waited beside each; written to
// tools/hostile/hostile.md. It fails where /health waited too long, or where a door answered before the input was read.
// DATA_DIR names the instance. Start it with RATE_LIMIT_READ, RATE_LIMIT_WRITE and RATE_LIMIT_AI far up, or the limits
// answer instead of what is behind them; with UNIPILE_DSN, UNIPILE_API_KEY and UNIPILE_WEBHOOK_SECRET, STRIPE_SECRET_KEY
// and STRIPE_WEBHOOK_SECRET (made up ones will do) in the environment of both, or their webhooks are left out. A person is
// made for it in the instance's database, and removed at the end.
import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { readRunFile } from '#scripts/up/run-file'
import { ROOT, readSettings } from '#scripts/up/settings'
import type { Answer } from './hostile/doors.ts'
import { INPUTS, SIZE } from './hostile/inputs.ts'
import { SIGN_INS, signIns } from './hostile/sign-ins.ts'
import { type Watch, watchHealth } from './hostile/watch.ts'

const FILE = path.join(ROOT, 'tools/hostile/hostile.md')
const MOST_STALL_MS = 300
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
const { anAccount } = await import('#tests/support/scenes/factories')
const { HOSTILE_FILES } = await import('#tests/support/files/hostile-files')
const { doorsFor, uploaded, webhooksFor } = await import('./hostile/doors.ts')
const { aShowcase } = await import('#tests/support/scenes/showcase')

type Row = { door: string; input: string; status: number; took_ms: number; stall_ms: number }

/** Doors for which such an answer is the right one: there was nothing to find, or nobody to let in. */
const RIGHT: Record<string, number[]> = {
  'a credential': [401],
  'a tracked link': [404],
  'an unsubscribe link': [404],
}

const email = `hostile-${randomUUID().slice(0, 8)}@example.com`
const person = await createUserWithPassword(email, 'Dana Demo', randomUUID())
if (!person) throw new Error(`${email} exists already.`)
const load = () => (os.loadavg()[0] ?? 0).toFixed(1)
const loadBefore = load()
const rows: Row[] = []
try {
  const { workspace_id, user_id } = person
  const owner = { workspace_id, user_id, email }
  const ids = await aShowcase(owner, new Date())
  const stranger = { url, email, ids, token: await issueToken(person.user_id, new Date()) }
  const social = await anAccount(owner, { driver: 'unipile', provider_account_id: randomUUID() })
  const watch = watchHealth(`${url}/api/v1/health`)
  const doors = { ...doorsFor(stranger), ...webhooksFor(url, social.provider_account_id) }
  // The first call of each loads what stands behind it; that is no fault of its input.
  for (const knock of Object.values(doors)) await (await knock('Hello')).text()
  for (const [door, knock] of Object.entries(doors))
    for (const { name, text } of INPUTS) rows.push(await tried(door, name, () => knock(text), watch))
  for (const [input, filename, make] of HOSTILE_FILES) {
    const file = new File([make() as BlobPart], filename)
    const upload = () => uploaded(stranger, '/upload/excel/preview', file)
    // While it was made nothing was heard here: not even that the server let go of a connection.
    await new Promise((resolve) => setTimeout(resolve, 100))
    rows.push(await tried('previewSpreadsheet, files made to cost', input, upload, watch))
  }
  for (const [from, guess] of await signIns(url))
    rows.push(await tried(`${SIGN_INS} sign-ins at once, from ${from}`, 'guesses', guess, watch))
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
  await db.workspace.delete({ where: { workspace_id: person.workspace_id } })
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

async function tried(door: string, input: string, knock: () => Promise<Answer>, watch: Watch): Promise<Row> {
  watch.longest()
  const begun = performance.now()
  const answer = await knock()
  await answer.text()
  const took_ms = Math.round(performance.now() - begun)
  return { door, input, status: answer.status, took_ms, stall_ms: watch.longest() }
}

function sheet(all: Row[]): string {
  const byDoor = Object.entries(Object.groupBy(all, ({ door }) => door))
  const cpu = os.cpus()
  const secrets = ['UNIPILE_WEBHOOK_SECRET', 'STRIPE_WEBHOOK_SECRET'].filter((name) => !process.env[name])
  const without =
    secrets.length > 0 ? ` Its webhooks were left out for want of ${secrets.join(' and ')}.` : ''
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
