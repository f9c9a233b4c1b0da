import { beforeEach, describe, expect, test } from 'vitest'
import { ListCompanies, ReadCompany } from '#lib/contracts/leads/companies'
import { ListPeople, ReadPerson, UpdatePerson } from '#lib/contracts/leads/people'
import { db } from '#lib/db/client'
import { readCompany } from '#lib/services/leads/people/companies'
import { call } from '#tests/support/call'
import { anEnrolledLead, aUser } from '#tests/support/scenes/factories'
import { aMember } from '#tests/support/scenes/team'

const MONDAY = new Date('2026-11-23T09:00:00.000Z')
const TUESDAY = new Date('2026-11-24T09:00:00.000Z')

type Owner = Awaited<ReturnType<typeof aUser>>
let owner: Owner
let ada: { person_id: string; company_id: string | null }
let bo: { person_id: string }
let campaign_id: string
let lead: { campaign_lead_id: string }

/** Ada of Acme was written to on Monday and replied on Tuesday; nothing was ever sent to Bo. */
beforeEach(async () => {
  owner = await aUser()
  const { workspace_id } = owner
  const { company_id } = await db.company.create({
    data: { workspace_id, domain: 'acme.example', name: 'Acme' },
  })
  const names = { first_name: 'Ada', last_name: 'Love', title: 'Head of Sales', country: 'Spain' }
  const address = { workspace_id, email: 'ada@acme.example', company: 'Acme', company_id }
  ada = await db.person.create({ data: { ...address, ...names, tags: ['vip'] } })
  bo = await db.person.create({ data: { workspace_id, email: 'bo_1@free.example', first_name: 'Bo' } })
  const enrolled = await anEnrolledLead(owner, { email: 'ada@acme.example' })
  lead = enrolled
  campaign_id = enrolled.campaign_id
  await db.campaignLead.update({
    where: { campaign_lead_id: lead.campaign_lead_id },
    data: { person_id: ada.person_id, status: 'replied', next_step: null, next_action_at: null },
  })
  const of = { workspace_id, campaign_id, campaign_lead_id: lead.campaign_lead_id }
  const mail = { step: 1, channel: 'email', action_type: 'email', status: 'sent', subject: 'Hi' } as const
  const { action_id } = await db.action.create({
    data: { ...of, ...mail, body: 'A word', performed_at: MONDAY },
  })
  const opened = { action_id, kind: 'open', link: 0, step: 1 } as const
  const hours = (count: number) => new Date(MONDAY.getTime() + count * 3_600_000)
  await db.trackingEvent.createMany({
    data: [
      { ...of, ...opened, class: 'human', first_at: hours(1), last_at: hours(1) },
      { ...of, ...opened, class: 'scanner', first_at: hours(2), last_at: hours(2) },
    ],
  })
  const latest = { last_message_at: TUESDAY, last_direction: 'in', last_kind: 'reply', preview: 'Yes' }
  const { thread_id } = await db.thread.create({
    data: { ...of, counterpart_address: 'ada@acme.example', subject: 'Hi', ...latest },
  })
  const from = { from_address: 'ada@acme.example', direction: 'in', kind: 'reply' }
  await db.inboxMessage.create({
    data: { workspace_id, thread_id, ...from, subject: 'Re: Hi', text: 'Yes', at: TUESDAY },
  })
})

const listed = async (query: Record<string, string> = {}) => {
  const { status, body } = await call(ListPeople, { as: owner, query })
  expect(status).toBe(200)
  expect(body.total).toBe(body.items.length)
  return body.items.map(({ first_name }) => first_name)
}

describe('the list of people', () => {
  test('newest first, each with what passed', async () => {
    expect(await listed()).toEqual(['Bo', 'Ada'])
    const { body } = await call(ListPeople, { as: owner })
    expect(body.items.map(({ replied, last_contacted_at }) => [replied, last_contacted_at])).toEqual([
      [false, null],
      [true, MONDAY.toISOString()],
    ])
  })

  test.each([
    ['search', 'ADA LOVE', ['Ada']],
    ['search', 'bo_', ['Bo']],
    ['search', 'a_a', []],
    ['replied', 'true', ['Ada']],
    ['replied', 'false', ['Bo']],
    ['contacted', 'true', ['Ada']],
    ['contacted', 'false', ['Bo']],
    ['last_contacted_after', '2026-11-23T09:00:00Z', ['Ada']],
    ['last_contacted_after', '2026-11-23T09:00:01Z', []],
    ['last_contacted_before', '2026-11-23T09:00:01Z', ['Ada']],
    ['last_contacted_before', '2026-11-23T09:00:00Z', []],
    ['title', 'sales', ['Ada']],
    ['country', 'SPAIN', ['Ada']],
    ['tag', 'vip', ['Ada']],
    ['tag', 'vi', []],
    ['campaign_id', crypto.randomUUID(), []],
    ['company_id', crypto.randomUUID(), []],
  ])('%s=%s', async (name, value, expected) => {
    expect(await listed({ [name]: value })).toEqual(expected)
  })

  test('filters are combined, and those of a campaign and a company are its people', async () => {
    const { company_id } = ada
    expect(await listed({ campaign_id, company_id: company_id ?? '', replied: 'true' })).toEqual(['Ada'])
    expect(await listed({ campaign_id, replied: 'false' })).toEqual([])
  })

  test('422 for an answer that is none', async () => {
    expect((await call(ListPeople, { as: owner, query: { replied: 'maybe' } })).status).toBe(422)
  })

  test('a client sees nobody, a viewer changes nobody', async () => {
    const [client, viewer] = [await aMember(owner, 'client'), await aMember(owner, 'viewer')]
    expect((await call(ListPeople, { as: client })).status).toBe(403)
    expect((await call(ListCompanies, { as: client })).status).toBe(403)
    expect((await call(ListPeople, { as: viewer })).status).toBe(200)
    const edited = { as: viewer, params: { person_id: bo.person_id }, body: { first_name: 'Bob' } }
    expect((await call(UpdatePerson, edited)).status).toBe(403)
  })
})

describe('one person', () => {
  test('touches of all channels, newest first, without those of scanners', async () => {
    const { body } = await call(ReadPerson, { as: owner, params: { person_id: ada.person_id } })
    expect(body.touches.map(({ kind, subject, text }) => [kind, subject, text])).toEqual([
      ['reply', 'Re: Hi', 'Yes'],
      ['open', null, null],
      ['sent', 'Hi', 'A word'],
    ])
    expect(body.leads).toMatchObject([
      { campaign_lead_id: lead.campaign_lead_id, owner_name: owner.name, status: 'replied' },
    ])
    expect(body.identities).toEqual([
      { person_id: ada.person_id, email: 'ada@acme.example', profile: null, telephone: null },
    ])
  })

  test("404 for another workspace's", async () => {
    const stranger = await aUser()
    const params = { person_id: ada.person_id }
    const refused = await call(ReadPerson, { as: stranger, params })
    expect([refused.status, refused.error.detail]).toEqual([404, 'person_not_found'])
  })

  test('an edit keeps what it does not give, and lists say nothing more', async () => {
    const params = { person_id: ada.person_id }
    const { status, body } = await call(UpdatePerson, {
      as: owner,
      params,
      body: { first_name: 'Anna', title: null, version: 1 },
    })
    expect([status, body.first_name, body.title, body.last_name, body.version]).toEqual([
      200,
      'Anna',
      null,
      'Love',
      2,
    ])
    expect(await db.person.findUnique({ where: params })).toMatchObject({ edited_at: expect.any(Date) })
  })

  test('a tag corrects nothing: lists go on saying who they are', async () => {
    const params = { person_id: ada.person_id }
    const { body } = await call(UpdatePerson, { as: owner, params, body: { tags: ['a', 'b', 'a'] } })
    expect(body.tags).toEqual(['a', 'b'])
    expect(await db.person.findUnique({ where: params })).toMatchObject({ edited_at: null })
  })

  test("404 for another workspace's company, and nothing is changed", async () => {
    const { workspace_id } = await aUser()
    const { company_id } = await db.company.create({ data: { workspace_id, domain: 'other.example' } })
    const params = { person_id: ada.person_id }
    const before = await db.person.findUnique({ where: params })
    const refused = await call(UpdatePerson, { as: owner, params, body: { company_id, first_name: 'X' } })
    expect([refused.status, refused.error.detail]).toEqual([404, 'company_not_found'])
    expect(await db.person.findUnique({ where: params })).toEqual(before)
  })
})

describe('companies', () => {
  test('by domain, with how many people', async () => {
    const { body } = await call(ListCompanies, { as: owner, query: { search: 'ACM' } })
    expect(body.items).toMatchObject([{ domain: 'acme.example', name: 'Acme', people_count: 1 }])
    expect((await call(ListCompanies, { as: owner, query: { search: 'nobody' } })).body.total).toBe(0)
  })

  test('one, with who was contacted and who replied', async () => {
    const params = { company_id: ada.company_id ?? '' }
    const { body } = await call(ReadCompany, { as: owner, params })
    expect(body).toMatchObject({ people_count: 1, contacted_count: 1, replied_count: 1, last_reply: null })
    expect((await call(ReadCompany, { as: await aUser(), params })).status).toBe(404)
  })

  test('with what passed with its people, under the name that somebody has now', async () => {
    const { workspace_id } = owner
    const params = { company_id: ada.company_id ?? '' }
    const read = async () => (await call(ReadCompany, { as: owner, params })).body
    const kinds = ['reply', 'open', 'sent']
    const asAda = kinds.map((kind) => ({ kind, name: 'Ada Love', person_id: ada.person_id }))
    expect((await read()).touches).toMatchObject(asAda)
    await db.person.update({ where: { person_id: ada.person_id }, data: { merged_into_id: bo.person_id } })
    const asBo = kinds.map((kind) => ({ kind, name: 'Bo', person_id: bo.person_id }))
    expect((await read()).touches).toMatchObject(asBo)
    await db.company.updateMany({ where: { workspace_id }, data: { domain: 'else.example' } })
    await db.person.updateMany({ where: { workspace_id }, data: { company_id: null } })
    expect((await read()).touches).toEqual([])
  })

  test.each([
    ['the others wait so many days', 3, '2026-11-27T09:00:00.000Z'],
    ['nobody waits where the policy says so', 0, null],
  ])('says who replied last: %s', async (_, colleague_reply_days, others_wait_until) => {
    const params = { company_id: ada.company_id ?? '' }
    const { workspace_id } = owner
    const replied = { replied_at: TUESDAY, replied_person_id: ada.person_id }
    await db.company.update({ where: params, data: replied })
    await db.workspace.update({ where: { workspace_id }, data: { colleague_reply_days } })
    const at = async (now: string) =>
      (await readCompany(workspace_id, params.company_id, new Date(now))).last_reply
    const said = { at: TUESDAY, person_id: ada.person_id, name: 'Ada Love' }
    const until = others_wait_until && new Date(others_wait_until)
    expect(await at('2026-11-27T08:59:59.999Z')).toEqual({ ...said, others_wait_until: until })
    expect(await at('2026-11-27T09:00:00.000Z')).toEqual({ ...said, others_wait_until: null })
  })
})
