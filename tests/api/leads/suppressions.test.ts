import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import {
  AddSuppressions,
  DeleteSuppression,
  ExportSuppressions,
  ImportSuppressions,
  ListSuppressions,
} from '#lib/contracts/leads/suppressions'
import { db } from '#lib/db/client'
import { deleteSuppressions } from '#lib/services/leads/suppressions'
import { call } from '#tests/support/call'
import { anEnrolledLead, aUser } from '#tests/support/scenes/factories'

type User = { workspace_id: string; user_id: string }
const add = (as: User, body: object) => call(AddSuppressions, { as, body })
const list = async (as: User, query: Record<string, string | number> = {}) =>
  (await call(ListSuppressions, { as, query })).body
const valuesOf = async (as: User) => (await list(as)).items.map((item) => item.value).toSorted()
const importing = (as: User, text: string | Uint8Array<ArrayBuffer>, fields: object = {}) =>
  call(ImportSuppressions, { as, body: { file: new File([text], 'list.csv'), ...fields } })

test('201 adds addresses and domains as they are compared, once each', async () => {
  const owner = await aUser()
  const values = ['Ada@Example.com', 'ada@example.com', '@Acme.com', 'beta.org']
  const { status, body } = await add(owner, { values, reason: 'asked by phone' })
  expect(status).toBe(201)
  expect(body).toMatchObject({ added: 3, already_listed: 0, leads_ended: 0 })
  expect(body.items.map(({ value, reason }) => [value, reason])).toEqual([
    ['@acme.com', 'asked by phone'],
    ['@beta.org', 'asked by phone'],
    ['ada@example.com', 'asked by phone'],
  ])
  const again = await add(owner, { value: 'ADA@example.com' })
  expect(again.body).toMatchObject({ added: 0, already_listed: 1 })
  expect(again.body.items).toMatchObject([{ reason: 'asked by phone' }])
})

afterEach(() => {
  vi.restoreAllMocks()
})

test('every waiting lead is read only for a domain, not for an address', async () => {
  const owner = await aUser()
  const asked = vi.spyOn(pg.Client.prototype, 'query')
  const readsDomains = async (value: string) => {
    asked.mockClear()
    await add(owner, { value })
    const statements = asked.mock.calls.map(([statement]) => JSON.stringify(statement))
    return statements.some((text) => /FROM campaign_leads l.*split_part\(l\.email/.test(text))
  }
  expect(await readsDomains('ada@example.com')).toBe(false)
  expect(await readsDomains('@acme.com')).toBe(true)
})

test('leads who wait end in all campaigns, by address and by domain; nobody else does', async () => {
  const [owner, other] = [await aUser(), await aUser()]
  const ended = [
    await anEnrolledLead(owner, { email: 'ada@example.com' }),
    await anEnrolledLead(owner, { email: 'ada@example.com' }),
    await anEnrolledLead(owner, { email: 'bob@acme.com' }),
  ]
  const kept = [
    await anEnrolledLead(owner, { email: 'eve@sub.acme.com' }),
    await anEnrolledLead(owner, { email: 'xada@example.com' }),
    await anEnrolledLead(other, { email: 'ada@example.com' }),
  ]
  const { body } = await add(owner, { values: ['ada@example.com', 'acme.com'] })
  expect(body.leads_ended).toBe(3)
  const statusOf = async ({ campaign_lead_id }: { campaign_lead_id: string }) =>
    (await db.campaignLead.findUniqueOrThrow({ where: { campaign_lead_id } })).status
  for (const lead of ended) expect(await statusOf(lead)).toBe('unsubscribed')
  for (const lead of kept) expect(await statusOf(lead)).toBe('active')
})

test('422 names what is neither address nor domain, and then nothing was added', async () => {
  const owner = await aUser()
  const { status, error } = await add(owner, { values: ['ada@example.com', 'John Smith'] })
  expect(status).toBe(422)
  expect(error.details).toEqual([
    { loc: ['body', 'values', '1'], msg: expect.stringMatching(/^“John Smith”: /), type: 'value_error' },
  ])
  for (const body of [{}, { values: [] }, { value: '' }, { value: 'a@b.com\0' }])
    expect((await add(owner, body)).status).toBe(422)
  expect(await valuesOf(owner)).toEqual([])
})

test('lists newest first, searched and paged', async () => {
  const owner = await aUser()
  for (const value of ['one@x.com', 'two@y.com', 'three@x.com']) await add(owner, { value })
  const all = await list(owner)
  expect(all.items.map((item) => item.value)).toEqual(['three@x.com', 'two@y.com', 'one@x.com'])
  expect(all.items[0]).toEqual({
    suppression_id: expect.any(String),
    value: 'three@x.com',
    reason: 'manual',
    inherited_from: null,
    created_at: expect.any(String),
  })
  expect(await list(owner, { search: 'X.COM', page_size: 1, page: 2 })).toMatchObject({
    total: 2,
    items: [{ value: 'one@x.com' }],
  })
})

test('204 removes one, of one’s own only', async () => {
  const [owner, stranger] = [await aUser(), await aUser()]
  const [entry] = (await add(owner, { value: 'ada@example.com' })).body.items
  if (!entry) throw new Error('nothing was added')
  const refused = await call(DeleteSuppression, { as: stranger, params: entry })
  expect([refused.status, refused.error.detail]).toEqual([404, 'suppression_not_found'])
  expect(await valuesOf(owner)).toEqual(['ada@example.com'])
  expect((await call(DeleteSuppression, { as: owner, params: entry })).status).toBe(204)
  expect(await valuesOf(owner)).toEqual([])
  const params = { suppression_id: randomUUID() }
  expect((await call(DeleteSuppression, { as: owner, params })).status).toBe(404)
})

test('a file: the named column counts, and every refused row is told with its reason', async () => {
  const owner = await aUser()
  const text =
    '\ufeffName;E-Mail;Why\r\nAda;Ada@Example.com;x\r\n"B; C";beta.org;y\r\n\r\nEve;;z\r\nNo;none;\r\n'
  const { status, body } = await importing(owner, text)
  expect(status).toBe(201)
  expect(body).toEqual({
    added: 2,
    already_listed: 0,
    leads_ended: 0,
    refused_count: 2,
    refused: [
      { row_number: 5, value: '', reason: expect.any(String) },
      { row_number: 6, value: 'none', reason: expect.any(String) },
    ],
  })
  expect(await valuesOf(owner)).toEqual(['@beta.org', 'ada@example.com'])
  expect((await list(owner)).items[0]?.reason).toBe('import')
})

test('a file without header: the first cell of a row that can be read', async () => {
  const owner = await aUser()
  const { body } = await importing(owner, 'Ada,ada@example.com\nbob@example.com\n', { reason: 'old tool' })
  expect(body).toMatchObject({ added: 2, refused_count: 0 })
  expect((await list(owner)).items.map((item) => item.reason)).toEqual(['old tool', 'old tool'])
})

test('400 for what is no text, and for more than 100,000 rows; then nothing was added', async () => {
  const owner = await aUser()
  const binary = await importing(owner, new Uint8Array([0x50, 0x4b, 3, 4, 0, 0, 1, 2, 0]))
  expect([binary.status, binary.error.detail]).toEqual([400, 'bad_request'])
  const rows = Array.from({ length: 100_001 }, (_, index) => `lead-${index}@example.com`)
  const many = await importing(owner, rows.join('\n'))
  expect([many.status, many.error.detail]).toEqual([400, 'body_too_large'])
  expect((await list(owner)).total).toBe(0)
})

test('100,000 rows go in, end who waits among them, and let others be answered meanwhile', async () => {
  const owner = await aUser()
  const lead = await anEnrolledLead(owner, { email: 'lead-77777@example.com' })
  const rows = Array.from({ length: 100_000 }, (_, index) => `lead-${index}@example.com`)
  let isDone = false
  const importing100k = importing(owner, ['email', ...rows].join('\n')).finally(() => {
    isDone = true
  })
  let answered = 0
  // Limited in number: during a slow import more requests would exceed the rate limit.
  for (; !isDone && answered < 20; answered++)
    expect(await list(owner, { page_size: 1 })).toMatchObject({ page: 1 })
  // If the import blocked others, only the first request, sent before it began, would be answered in time.
  expect(answered).toBeGreaterThan(2)
  const { body } = await importing100k
  expect(body).toMatchObject({ added: 100_000, leads_ended: 1, refused_count: 0 })
  const { campaign_lead_id } = lead
  expect(await db.campaignLead.findUnique({ where: { campaign_lead_id } })).toMatchObject({
    status: 'unsubscribed',
  })
})

test('several of the dashboard go at once, and only those of their owner', async () => {
  const [owner, other] = [await aUser(), await aUser()]
  await add(owner, { values: ['ada@example.com', '@acme.com'], reason: 'asked by phone' })
  await add(owner, { value: 'bob@example.com' })
  await add(other, { value: 'ada@example.com' })
  const mine = (await list(owner)).items.filter(({ value }) => value !== 'bob@example.com')
  const ids = mine.map(({ suppression_id }) => suppression_id)
  const [foreign] = (await list(other)).items
  const gone = await deleteSuppressions(owner.workspace_id, [
    ...ids,
    foreign?.suppression_id ?? '',
    randomUUID(),
  ])
  expect(gone.map(({ value, reason }) => [value, reason]).toSorted()).toEqual([
    ['@acme.com', 'asked by phone'],
    ['ada@example.com', 'asked by phone'],
  ])
  expect(await valuesOf(owner)).toEqual(['bob@example.com'])
  expect(await valuesOf(other)).toEqual(['ada@example.com'])
})

test('profiles and telephone numbers are listed in one spelling, and found in any', async () => {
  const owner = await aUser()
  const values = ['https://de.linkedin.com/in/Ada?trk=x', 'linkedin.com/in/ada', '0049 170 1234567']
  const { body } = await add(owner, { values })
  expect(body.items.map(({ value }) => value)).toEqual(['+491701234567', 'linkedin.com/in/ada'])
  expect(await list(owner, { search: '+49 (0)170 123 4567' })).toMatchObject({ total: 1 })
  expect(await list(owner, { search: 'www.linkedin.com/in/ADA/' })).toMatchObject({ total: 1 })
  const refused = await add(owner, { values: ['0170 1234567'] })
  expect([refused.status, refused.error.details?.[0]?.loc]).toEqual([422, ['body', 'values', '0']])
})

test('a file of telephone numbers reads its country; an export goes in again', async () => {
  const [owner, other] = [await aUser(), await aUser()]
  const { body } = await importing(owner, 'Name,Phone,Country\nAda,0170 1234567,Germany\nBob,0170 1234567,\n')
  expect(body).toMatchObject({ added: 1, refused_count: 1, refused: [{ row_number: 3 }] })
  await add(owner, { values: ['ada@example.com', '@acme.com', 'linkedin.com/in/ada'], reason: 'asked' })
  const { text } = await call(ExportSuppressions, { as: owner })
  expect(text).toMatch(
    /^\uFEFF?value,reason,inherited_from,created_at,suppression_id\r?\n\+491701234567,import,,/,
  )
  expect((await importing(other, text)).body).toMatchObject({ added: 4, refused_count: 0 })
  expect(await valuesOf(other)).toEqual(await valuesOf(owner))
})
