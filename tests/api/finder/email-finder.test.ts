import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { ListDatasetRows } from '#lib/contracts/datasets/datasets'
import { ListDatasetChanges, UndoDatasetSession } from '#lib/contracts/enrichment/dataset-sessions'
import { FindEmail, FindEmails, ListFoundEmails, VerifyEmail } from '#lib/contracts/enrichment/email-finder'
import { db, pool } from '#lib/db/client'
import { env } from '#lib/env'
import { peopleOfRows } from '#lib/services/enrichment/email-finder-sessions'
import { finderTools } from '#lib/services/finder/tools'
import { verifyEmail } from '#lib/services/finder/verify'
import { call } from '#tests/support/call'
import { aDataset, aUser } from '#tests/support/scenes/factories'
import { carryOut } from '#tests/support/scenes/pipeline'
import { createDnsServer } from '#tests/support/servers/dns'
import { createSmtpSink, type SmtpPlay } from '#tests/support/servers/smtp'

type User = { workspace_id: string; user_id: string }
const address = { A: ['127.0.0.1'] }
const MX = (host: string) => ({ MX: [[10, host]] as [number, string][] })
const zone = Object.fromEntries([
  ...['acme', 'any', 'grey', 'shy', 'rude', 'slow'].flatMap((name) => [
    [`${name}.com`, MX(`mx.${name}.com`)],
    [`mx.${name}.com`, address],
  ]),
  ['big.com', MX('aspmx.l.google.com')],
  ['info-only.com', address],
  ['none.com', { TXT: ['nothing'] }],
  ['null.com', MX('.')],
  ['broken.com', 'servfail'],
  ['mailinator.com', MX('mx.acme.com')],
  ['gmail.com', MX('mx.acme.com')],
])
const dns = await createDnsServer(zone)

/** The addresses for which the server of a domain accepts mail; it refuses all others. */
const PEOPLE = ['ada.lovelace@acme.com', 'info@acme.com', 'ada.lovelace@mailinator.com']
const sink = await createSmtpSink({
  extensions: [],
  play: (stage, { command }): SmtpPlay | undefined => {
    const to = /<([^>]*)>/.exec(command)?.[1] ?? ''
    const domain = to.split('@')[1] ?? ''
    if (stage !== 'rcpt') return
    if (domain === 'grey.com') return { reply: '450 4.2.0 Greylisted, try later' }
    if (domain === 'shy.com') return { reply: '550 5.7.1 Your host is on a block list' }
    if (domain === 'rude.com') return { drop: true }
    if (domain === 'slow.com') return { hang: true }
    if (domain === 'any.com' || PEOPLE.includes(to)) return
    return { reply: '550 5.1.1 No such mailbox' }
  },
})
afterAll(() => Promise.all([sink.close(), dns.close()]))

Object.assign(process.env, {
  DNS_SERVERS: dns.server,
  EMAIL_PROBE_EHLO_NAME: 'probe.opener.example',
  EMAIL_PROBE_FROM: 'bounces@opener.example',
  EMAIL_PROBE_PORT: String(sink.port),
  EMAIL_PROBE_SPACING_MS: '0',
  EMAIL_PROBE_TIMEOUT_MS: '10000',
  EMAIL_PROBE_PER_DOMAIN: '1000',
  ALLOW_PRIVATE_HOSTS: '1',
  RATE_LIMIT_AI: '10000',
})

beforeEach(() => {
  sink.commands.length = 0
})
const asked = () => sink.commands.filter((line) => line.startsWith('RCPT')).length
function giveUpAfter(ms: number) {
  const given = env().EMAIL_PROBE_TIMEOUT_MS
  env().EMAIL_PROBE_TIMEOUT_MS = ms
  onTestFinished(() => void Object.assign(env(), { EMAIL_PROBE_TIMEOUT_MS: given }))
}
const verify = async (as: User, email: string) => (await call(VerifyEmail, { as, body: { email } })).body
const find = async (as: User, body: object) => (await call(FindEmail, { as, body })).body

test.each([
  ['ada.lovelace@acme.com', 'valid', /refuses names/, { catch_all: false, mx: 'mx.acme.com' }],
  ['nobody@acme.com', 'invalid', /No such mailbox/, {}],
  ['info@acme.com', 'risky', /team/, { role: true }],
  ['ada@any.com', 'risky', /any name/, { catch_all: true }],
  ['ada@grey.com', 'unknown', /postponed the check/, { catch_all: null }],
  ['ada@shy.com', 'unknown', /block list/, {}],
  ['ada@rude.com', 'unknown', /closed/, {}],
  ['ada@slow.com', 'unknown', /No answer within/, {}],
  ['ada@big.com', 'unknown', /Google/, { mx: 'aspmx.l.google.com' }],
  ['ada@none.com', 'invalid', /no mail server/, { mx: null }],
  ['ada@null.com', 'invalid', /accepts no mail/, {}],
  ['ada@nowhere.com', 'invalid', /does not exist/, {}],
  ['ada@broken.com', 'unknown', /DNS/, {}],
  ['ada@mailinator.com', 'risky', /disposable/, { disposable: true }],
  ['ada', 'invalid', /no @/, { mx: null }],
])('%s is %s', async (email, status, reason, more) => {
  // A server that never answers is given up at once; others may take as long as a busy machine needs.
  if (email === 'ada@slow.com') giveUpAfter(100)
  const body = await verify(await aUser(), email)
  expect(body).toMatchObject({ status, reason: expect.stringMatching(reason), ...more })
})

test('asks as it says who it is, sends nothing, and takes no server for a search engine', async () => {
  const owner = await aUser()
  await verify(owner, 'Ada.Lovelace@ACME.com')
  expect(sink.commands[0]).toBe('EHLO probe.opener.example')
  expect(sink.commands[1]).toBe('MAIL FROM:<bounces@opener.example>')
  expect(sink.commands[2]).toMatch(/^RCPT TO:<[0-9a-f]{18}@acme\.com>$/)
  expect(sink.commands.slice(3)).toEqual(['RCPT TO:<ada.lovelace@acme.com>', 'RSET', 'QUIT'])
  expect(sink.messages).toEqual([])
})

test('what a server said is not asked again, a domain that takes any name not at all, and others not either', async () => {
  const [owner, other] = [await aUser(), await aUser()]
  await verify(owner, 'ada.lovelace@acme.com')
  const once = asked()
  expect(await verify(owner, 'ada.lovelace@acme.com')).toMatchObject({ status: 'valid' })
  expect(asked()).toBe(once)
  await verify(owner, 'one@any.com')
  const before = asked()
  expect(await verify(owner, 'two@any.com')).toMatchObject({ status: 'risky', catch_all: true })
  expect(asked()).toBe(before)
  await verify(other, 'ada.lovelace@acme.com')
  expect(asked()).toBeGreaterThan(before)
  for (const spared of ['ada@big.com', 'ada@mailinator.com', 'x@none.com']) await verify(owner, spared)
  expect(sink.commands.filter((line) => /big|mailinator|none/.test(line))).toEqual([])
})

test('a private address is not asked unless the operator allows it, and nothing is where it is switched off', async () => {
  const { createMailProbe } = await import('#lib/providers/mail-probe/smtp')
  const owner = await aUser()
  const tools = finderTools()
  const options = { ehlo_name: 'x.example', from: 'a@x.example', port: sink.port, timeout_ms: 10_000 }
  const policy = { allow_private_hosts: false }
  const probe = createMailProbe({ ...options, policy, lookup: async () => ['127.0.0.1'] })
  const guarded = await verifyEmail(owner.workspace_id, 'ada.lovelace@acme.com', new Date(), {
    ...tools,
    probe,
  })
  expect(guarded).toMatchObject({ status: 'unknown', reason: expect.stringContaining('private network') })
  const off = await verifyEmail((await aUser()).workspace_id, 'ada@acme.com', new Date(), {
    ...tools,
    probe: null,
  })
  expect(off).toMatchObject({ status: 'unknown', reason: expect.stringContaining('turned off') })
  expect(sink.commands).toEqual([])
})

test('one connection to a server at a time, and no more a minute for a domain than agreed', async () => {
  const owner = await aUser()
  const tools = { ...finderTools(), spacing_ms: 0 }
  sink.counts.peak = 0
  const names = ['a', 'b', 'c', 'd']
  await Promise.all(
    names.map((name) => verifyEmail(owner.workspace_id, `${name}@acme.com`, new Date(), tools)),
  )
  expect(sink.counts.peak).toBe(1)
  await pool().query("UPDATE rate_limits SET tokens = 0, updated_at = now() WHERE bucket = 'probe:acme.com'")
  const limited = await verifyEmail(owner.workspace_id, 'late@acme.com', new Date(), {
    ...tools,
    per_domain: 1,
  })
  expect(limited).toMatchObject({ status: 'unknown', reason: expect.stringContaining('too often') })
  await pool().query("DELETE FROM rate_limits WHERE bucket = 'probe:acme.com'")
})

test('finds by what exists, and says how sure it is', async () => {
  const owner = await aUser()
  const body = await find(owner, {
    first_name: 'Ada',
    last_name: 'Lovelace',
    domain: 'https://www.acme.com/team',
  })
  expect(body).toMatchObject({
    email: 'ada.lovelace@acme.com',
    status: 'valid',
    confidence: 98,
    catch_all: false,
  })
  expect(body.candidates.length).toBeGreaterThan(3)
  expect(asked()).toBe(5)
  const none = await find(owner, { first_name: 'Bob', last_name: 'Miller', domain: 'acme.com' })
  expect(none.candidates.slice(-4).every(({ confidence }) => confidence === 0)).toBe(true)
  expect(none.confidence).toBeLessThan(50)
})

test('learns the pattern from the owner’s own datasets, and from nobody else’s', async () => {
  const [owner, other] = [await aUser(), await aUser()]
  const people = ['Bob Miller', 'Carol Smith', 'Dave Jones', 'Erin Brown'].map((full_name) => {
    const [first = '', last = ''] = full_name.toLowerCase().split(' ')
    return { email: `${first[0]}${last}@any.com`, full_name }
  })
  await aDataset(owner, people)
  const wanted = { first_name: 'Ada', last_name: 'Lovelace', domain: 'any.com' }
  const learned = await find(owner, wanted)
  expect(learned).toMatchObject({ email: 'alovelace@any.com', status: 'risky', known_addresses: 4 })
  expect(learned.confidence).toBeGreaterThan(60)
  expect(learned.candidates[0]).toMatchObject({
    pattern: 'flast',
    evidence: expect.stringContaining('4 of 4'),
  })
  const blind = await find(other, wanted)
  expect(blind).toMatchObject({ email: 'ada.lovelace@any.com', known_addresses: 0 })
  expect(blind.confidence).toBeLessThan(50)
  const known = await find(owner, { first_name: 'Bob', last_name: 'Miller', domain: 'any.com' })
  expect(known.candidates[0]).toMatchObject({ email: 'bmiller@any.com', pattern: 'known' })
})

test.each([
  ['gmail.com', 'unknown', /free email provider/],
  ['nowhere.com', 'invalid', /does not exist/],
])('at %s there is nothing to find', async (domain, status, reason) => {
  const body = await find(await aUser(), { first_name: 'Ada', last_name: 'Lovelace', domain })
  expect(body).toMatchObject({ email: null, status, reason: expect.stringMatching(reason), candidates: [] })
})

test('a bulk run fills what it is sure of, lists every result, and is undone like every session', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, [
    { email: null, full_name: 'Ada Lovelace', website: 'acme.com' },
    { email: null, full_name: 'Ada Lovelace', website: 'www.acme.com' },
    { email: null, full_name: 'Eve Stone', website: 'any.com' },
    { email: null, full_name: 'Eve Stone', website: 'nowhere.com' },
    { email: null, full_name: 'Ada', website: 'acme.com' },
    { email: null, full_name: 'Ada Lovelace', website: '' },
    { email: 'x@acme.com', full_name: 'X Y', website: 'acme.com' },
  ])
  const { status, body: session } = await call(FindEmails, { as: owner, body: { dataset_id } })
  expect([status, session.work]).toEqual([202, 'email_finder'])
  await carryOut(session.session_id, { finder: finderTools() })
  const rows = (await call(ListDatasetRows, { as: owner, params: { dataset_id } })).body.items
  expect(rows.map(({ email }) => email)).toEqual([
    'ada.lovelace@acme.com',
    null,
    null,
    null,
    null,
    null,
    'x@acme.com',
  ])
  const params = { dataset_id, session_id: session.session_id }
  const { body } = await call(ListFoundEmails, { as: owner, params })
  expect(body.items.map(({ lead_index, status, filled }) => [lead_index, status, filled])).toEqual([
    [0, 'valid', true],
    [1, 'valid', false],
    [2, 'risky', false],
    [3, 'invalid', false],
  ])
  expect((await call(ListFoundEmails, { as: owner, params, query: { status: 'valid' } })).body.total).toBe(2)
  const changes = await call(ListDatasetChanges, { as: owner, params: { dataset_id } })
  expect(changes.body.items).toMatchObject([
    { field: 'email', rule: 'email_finder_valid', certainty: 'certain' },
  ])
  const done = await db.datasetSession.findUniqueOrThrow({ where: { session_id: session.session_id } })
  expect(done.summary).toEqual({
    email: {
      filled: 1,
      skipped: {
        address_taken: 1,
        not_sure_enough: 1,
        domain_takes_no_mail: 1,
        no_name: 1,
        no_domain: 1,
        already_filled: 1,
      },
    },
  })
  await call(UndoDatasetSession, { as: owner, params })
  const after = (await call(ListDatasetRows, { as: owner, params: { dataset_id } })).body.items
  expect(after[0]?.email).toBeNull()
})

test('refuses what is no domain, another’s dataset, and bodies without a name', async () => {
  const [owner, stranger] = [await aUser(), await aUser()]
  const { dataset_id } = await aDataset(owner)
  expect((await call(FindEmails, { as: stranger, body: { dataset_id } })).error.detail).toBe(
    'dataset_not_found',
  )
  const person = { first_name: 'Ada', last_name: 'Lovelace' }
  for (const body of [person, { ...person, domain: 'no domain' }, { domain: 'acme.com' }])
    expect((await call(FindEmail, { as: owner, body })).status).toBe(422)
  expect((await call(VerifyEmail, { as: owner, body: {} })).status).toBe(422)
})

test('rows are named by the people who stand in them, to their owner alone', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, [
    { email: null, first_name: 'Ada', last_name: 'Lovelace', company: 'Engines' },
    { email: null, full_name: 'Grace Hopper' },
    { email: 'nobody@acme.com' },
  ])
  const named = new Map([
    [0, 'Ada Lovelace, Engines'],
    [1, 'Grace Hopper'],
  ])
  expect(await peopleOfRows(owner.workspace_id, dataset_id, [0, 1, 2])).toEqual(named)
  expect(await peopleOfRows((await aUser()).workspace_id, dataset_id, [0, 1, 2])).toEqual(new Map())
})
