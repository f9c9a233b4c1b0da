import { expect, test } from 'vitest'
import { ListCompanies } from '#lib/contracts/leads/companies'
import { ListPeople } from '#lib/contracts/leads/people'
import { db } from '#lib/db/client'
import { countPeople, listPeople } from '#lib/services/leads/people/list'
import { call } from '#tests/support/call'
import { anEnrolledLead, aUser } from '#tests/support/scenes/factories'

async function aCrowd() {
  const owner = await aUser()
  const { workspace_id } = owner
  const people = [
    { email: 'c@a.example', first_name: 'Cleo', company: 'zinc', title: 'CEO', country: 'Spain' },
    { email: 'a@a.example', first_name: 'ada', last_name: 'Quinn', company: 'Alum', country: 'France' },
    { email: 'bare@a.example' },
    { email: 'd@a.example', first_name: 'Ada', last_name: 'Abel', company: 'Brick', title: 'buyer' },
  ]
  for (const [place, person] of people.entries())
    await db.person.create({
      data: { workspace_id, ...person, created_at: new Date(Date.UTC(2026, 0, 10 - place)) },
    })
  const by = async (query: Record<string, string>) => {
    const { status, body } = await call(ListPeople, { as: owner, query })
    expect([status, body.total]).toEqual([200, query.country ? 1 : 4])
    return body.items.map(({ email }) => email?.split('@')[0])
  }
  return { owner, by }
}

test('people are sorted by name, or by their address where it is all that is known, in any case, either way', async () => {
  const { by } = await aCrowd()
  expect(await by({ sort: 'name' })).toEqual(['d', 'a', 'bare', 'c'])
  expect(await by({ sort: '-name' })).toEqual(['c', 'bare', 'a', 'd'])
})

test('whoever has no company, title or country comes last, and filters and pages keep the order', async () => {
  const { by } = await aCrowd()
  expect(await by({ sort: 'company' })).toEqual(['a', 'd', 'c', 'bare'])
  expect(await by({ sort: '-company' })).toEqual(['c', 'd', 'a', 'bare'])
  expect(await by({ sort: 'title' })).toEqual(['d', 'c', 'bare', 'a'])
  expect(await by({ sort: '-country', page: '1', page_size: '2' })).toEqual(['c', 'a'])
  expect(await by({ sort: 'company', page: '2', page_size: '2' })).toEqual(['c', 'bare'])
  expect(await by({ sort: 'name', country: 'spain' })).toEqual(['c'])
})

test('by tags, phone and profile, those without one last', async () => {
  const { owner, by } = await aCrowd()
  const set = (email: string, data: object) =>
    db.person.updateMany({ where: { workspace_id: owner.workspace_id, email }, data })
  await set('c@a.example', { tags: ['vip'], phone: '+4912', profile: 'linkedin:linkedin.com/in/Zed' })
  await set('d@a.example', { tags: ['Fair', 'vip'], phone: '+4411', profile: 'linkedin:linkedin.com/in/abe' })
  expect(await by({ sort: 'tags' })).toEqual(['d', 'c', 'bare', 'a'])
  expect(await by({ sort: '-phone' })).toEqual(['c', 'd', 'bare', 'a'])
  expect(await by({ sort: 'profile' })).toEqual(['d', 'c', 'bare', 'a'])
})

test('by when they were added; without an order, and with an empty one, as before; another word is refused', async () => {
  const { owner, by } = await aCrowd()
  expect(await by({ sort: 'created_at' })).toEqual(['d', 'bare', 'a', 'c'])
  expect(await by({})).toEqual(['d', 'bare', 'a', 'c'])
  expect(await by({ sort: '' })).toEqual(await by({}))
  expect((await call(ListPeople, { as: owner, query: { sort: 'email' } })).status).toBe(422)
})

/**
 * Two companies: of the two people at Acme, Ada was written to on Monday and replied, Bo was written to on Tuesday; nothing was sent to Cy
 * of Bolt.
 */
async function aTrade() {
  const owner = await aUser()
  const { workspace_id } = owner
  const company = async (domain: string, name: string | null) =>
    (await db.company.create({ data: { workspace_id, domain, name } })).company_id
  const acme = await company('acme.example', 'Zenith')
  const bolt = await company('bolt.example', null)
  const person = async (first_name: string, company_id: string) =>
    (await db.person.create({ data: { workspace_id, first_name, company_id } })).person_id
  const sent = async (person_id: string, day: string, status: 'replied' | 'active') => {
    const { campaign_lead_id, campaign_id } = await anEnrolledLead(owner)
    const ended = status === 'replied' ? { next_step: null, next_action_at: null } : {}
    await db.campaignLead.update({ where: { campaign_lead_id }, data: { person_id, status, ...ended } })
    const mail = { step: 1, channel: 'email', action_type: 'email', status: 'sent', subject: 'Hi' } as const
    const performed_at = new Date(`${day}T09:00:00.000Z`)
    await db.action.create({ data: { workspace_id, campaign_id, campaign_lead_id, ...mail, performed_at } })
  }
  await sent(await person('Ada', acme), '2026-11-23', 'replied')
  await sent(await person('Bo', acme), '2026-11-24', 'active')
  await person('Cy', bolt)
  const names = async (query: Record<string, string>) =>
    (await call(ListPeople, { as: owner, query })).body.items.map(({ first_name }) => first_name)
  const domains = async (query: Record<string, string>) => {
    const { status, body } = await call(ListCompanies, { as: owner, query })
    expect([status, body.total]).toEqual([200, body.items.length])
    return body.items.map(({ domain }) => domain.split('.')[0])
  }
  return { owner, names, domains }
}

test('people are sorted by when something was last sent to them, and by whether they replied', async () => {
  const { names } = await aTrade()
  expect(await names({ sort: '-last_contacted_at' })).toEqual(['Bo', 'Ada', 'Cy'])
  expect(await names({ sort: 'last_contacted_at' })).toEqual(['Ada', 'Bo', 'Cy'])
  expect(await names({ sort: 'last_contacted_at', contacted: 'true', page: '2', page_size: '1' })).toEqual([
    'Bo',
  ])
  expect(await names({ sort: '-replied' })).toEqual(['Ada', 'Cy', 'Bo'])
  expect(await names({ sort: 'replied' })).toEqual(['Cy', 'Bo', 'Ada'])
})

test('companies are sorted by name, domain and what came of their people, and filtered by whether anybody replied', async () => {
  const { owner, domains } = await aTrade()
  expect(await domains({})).toEqual(['acme', 'bolt'])
  // Bolt has no name, so it is sorted by its domain.
  expect(await domains({ sort: 'name' })).toEqual(['bolt', 'acme'])
  expect(await domains({ sort: '-domain' })).toEqual(['bolt', 'acme'])
  for (const sort of ['people_count', 'contacted_count', 'replied_count']) {
    expect(await domains({ sort }), sort).toEqual(['bolt', 'acme'])
    expect(await domains({ sort: `-${sort}` }), sort).toEqual(['acme', 'bolt'])
  }
  expect(await domains({ replied: 'true' })).toEqual(['acme'])
  expect(await domains({ replied: 'false', sort: '' })).toEqual(['bolt'])
  const { body } = await call(ListCompanies, { as: owner })
  expect(body.items).toMatchObject([
    { people_count: 2, contacted_count: 2, replied_count: 1 },
    { people_count: 1, contacted_count: 0, replied_count: 0 },
  ])
  expect((await call(ListCompanies, { as: owner, query: { sort: 'created_at' } })).status).toBe(422)
})

test('each filter that is counted beside others leaves as many as the list says', async () => {
  const { owner } = await aTrade()
  const now = new Date('2026-11-24T12:00:00.000Z')
  const asked = [
    {},
    { contacted: 'false' as const },
    { contacted_in_days: 1 },
    { replied: 'true' as const, search: 'ad' },
    { search: 'nobody at all' },
  ]
  expect(await countPeople(owner.workspace_id, asked, now)).toEqual([3, 1, 1, 1, 0])
  const totals = asked.map(async (filters) => {
    const query = ListPeople.query.parse(filters)
    return (await listPeople(owner.workspace_id, query, now)).total
  })
  expect(await Promise.all(totals)).toEqual([3, 1, 1, 1, 0])
  expect(await countPeople((await aUser()).workspace_id, asked, now)).toEqual([0, 0, 0, 0, 0])
})
