import { afterAll, expect, test } from 'vitest'
import { ConnectMailboxes, ListMailboxes } from '#lib/contracts/senders/mailboxes'
import { db } from '#lib/db/client'
import { unseal } from '#lib/db/seal'
import { createDnsProvider } from '#lib/providers/dns/driver'
import { connectMany } from '#lib/services/senders/connect-many'
import { closeMailProvider } from '#lib/services/senders/mail-provider'
import { call } from '#tests/support/call'
import { aMailbox, aUser } from '#tests/support/scenes/factories'
import { createDnsServer } from '#tests/support/servers/dns'
import { createSmtpSink } from '#tests/support/servers/smtp'

const SECRET = 'correct horse battery'
const WRONG = 'wrong horse'
const wrong = Buffer.from(`\0bea@many.example\0${WRONG}`).toString('base64')
const sink = await createSmtpSink({
  play: (stage, { command }) =>
    // Some servers repeat the password that they were sent.
    stage === 'auth' && command.includes(wrong) ? { reply: `535 5.7.8 no ${WRONG}` } : undefined,
})
const dns = await createDnsServer()
process.env.DNS_SERVERS = dns.server
// The sandbox's endpoint is the only private address that may be reached.
process.env.SANDBOX_SMTP_PORT = String(sink.port)
afterAll(async () => {
  await closeMailProvider()
  await sink.close()
  await dns.close()
})

const server = `127.0.0.1,${sink.port},none`
const HEAD = 'address,name,password,smtp_host,smtp_port,smtp_security,daily_limit'
const connect = (as: Awaited<ReturnType<typeof aUser>>, ...lines: string[]) =>
  call(ConnectMailboxes, { as, body: { csv: [HEAD, ...lines].join('\n') } })

test('each row by itself: connected, failing, refused, each with its reason', async () => {
  const owner = await aUser()
  const known = await aMailbox(owner)
  const { status, body } = await connect(
    owner,
    `Ana@Many.example,Ana,${SECRET},${server},40`,
    `bea@many.example,Bea,${WRONG},${server},`,
    `${known.address},,${SECRET},${server},`,
    `no address,,${SECRET},${server},`,
    `cem@many.example,,${SECRET},${server},many`,
    `dan@nowhere.example,,${SECRET},,,,`,
    `ana@many.example,,${SECRET},${server},`,
  )
  expect(status).toBe(200)
  expect(body).toMatchObject({ connected: 1, failing: 1, refused: 5, ignored_columns: [] })
  expect(body.rows.map(({ row_number, outcome, error }) => [row_number, outcome, error])).toEqual([
    [2, 'connected', null],
    [3, 'failing', expect.stringContaining('535')],
    [4, 'refused', 'This address is already connected.'],
    [5, 'refused', 'The address is missing or not an email address.'],
    [6, 'refused', 'The column daily_limit cannot be read.'],
    [7, 'refused', expect.stringContaining('smtp_host')],
    [8, 'refused', 'This address is already connected.'],
  ])
  // The answer contains no password, whatever a server or a row contains.
  for (const secret of [SECRET, WRONG]) expect(JSON.stringify(body)).not.toContain(secret)
  const listed = await call(ListMailboxes, { as: owner })
  expect(JSON.stringify(listed.body)).not.toContain(SECRET)
  const [ana, bea] = await Promise.all(
    ['ana@many.example', 'bea@many.example'].map((address) =>
      db.mailbox.findFirstOrThrow({ where: { workspace_id: owner.workspace_id, address } }),
    ),
  )
  expect(ana).toMatchObject({ name: 'Ana', status: 'connected', daily_limit: 40 })
  expect(unseal(ana?.smtp_password ?? '')).toBe(SECRET)
  expect(bea).toMatchObject({ status: 'failing', failing_cause: 'sign_in' })
})

test('servers are looked up for rows that name none', async () => {
  const owner = await aUser()
  dns.zone['_submissions._tcp.found.example'] = { SRV: [[0, 1, 465, 'smtp.found.example']] }
  const { body } = await connect(owner, `ana@found.example,,${SECRET},,,,`)
  expect(body.rows).toMatchObject([{ outcome: 'failing' }])
  const made = await db.mailbox.findFirstOrThrow({ where: { workspace_id: owner.workspace_id } })
  expect(made.smtp).toMatchObject({ host: 'smtp.found.example', port: 465, username: 'ana@found.example' })
})

test('a value in the wrong column is not repeated either', async () => {
  const owner = await aUser()
  const csv = `address,smtp_host,smtp_port\nana@a.example,smtp.a.example,${SECRET}\n${SECRET},x,1`
  const { body } = await call(ConnectMailboxes, { as: owner, body: { csv } })
  expect(body.refused).toBe(2)
  expect(body.rows[0]).toMatchObject({ error: 'The column smtp_port cannot be read.' })
})

test('tests end when their time is over; the rows are kept', async () => {
  const owner = await aUser()
  let now = 0
  const clock = () => {
    now += 30_000
    return new Date(now)
  }
  const config = { autoconfig: async () => null, autodiscover: async () => null }
  const provider = createDnsProvider({ servers: [dns.server], ask_authoritative: false })
  const csv = [HEAD, ...['a', 'b', 'c'].map((name) => `${name}@late.example,,x,${server},`)].join('\n')
  const answer = await connectMany(owner.workspace_id, csv, {
    now: new Date(),
    dns: provider,
    config,
    test: async () => ({ ok: true, error: null }),
    clock,
  })
  expect(answer.rows.map(({ outcome }) => outcome).toSorted()).toEqual(['connected', 'untested', 'untested'])
  expect(await db.mailbox.count({ where: { workspace_id: owner.workspace_id } })).toBe(3)
})

test.each([
  ['no head', 'ana@a.example,secret', 'name its columns'],
  ['no rows', HEAD, 'no rows'],
  ['too many', [HEAD, ...Array.from({ length: 51 }, (_, i) => `a${i}@a.example,,x`)].join('\n'), '51 rows'],
])('422 of a table with %s', async (_, csv, said) => {
  const { status, error } = await call(ConnectMailboxes, { as: await aUser(), body: { csv } })
  expect(status).toBe(422)
  expect(JSON.stringify(error)).toContain(said)
  expect(JSON.stringify(error)).not.toContain('secret')
})
