import { expect, test } from 'vitest'
import { ListPeople } from '#lib/contracts/leads/people'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'

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

test('by when they were added; without an order, and with an empty one, as before; another word is refused', async () => {
  const { owner, by } = await aCrowd()
  expect(await by({ sort: 'created_at' })).toEqual(['d', 'bare', 'a', 'c'])
  expect(await by({})).toEqual(['d', 'bare', 'a', 'c'])
  expect(await by({ sort: '' })).toEqual(await by({}))
  expect((await call(ListPeople, { as: owner, query: { sort: 'email' } })).status).toBe(422)
})
