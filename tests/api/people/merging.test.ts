import { beforeEach, expect, test } from 'vitest'
import { ListPeople, MergePeople, ReadPerson, SplitPerson } from '#lib/contracts/leads/people'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { anEnrolledLead, aUser } from '#tests/support/scenes/factories'

type Owner = Awaited<ReturnType<typeof aUser>>
let owner: Owner
beforeEach(async () => {
  owner = await aUser()
})

/** A person with one lead, known by an address or a profile. */
async function aPerson(known: { email?: string; profile?: string; spelled?: string }) {
  const { workspace_id } = owner
  const { spelled = null, email = null, profile = null } = known
  const { person_id } = await db.person.create({ data: { workspace_id, email, profile } })
  const { campaign_lead_id } = await anEnrolledLead(owner)
  const data = { person_id, email, social_profile: spelled }
  await db.campaignLead.update({ where: { campaign_lead_id }, data })
  return { person_id, campaign_lead_id }
}

const merge = (into: string, from: string) => call(MergePeople, { as: owner, body: { into, from } })
const split = (person_id: string, person_ids: string[]) =>
  call(SplitPerson, { as: owner, params: { person_id }, body: { person_ids } })
const read = async (person_id: string) => (await call(ReadPerson, { as: owner, params: { person_id } })).body
const leadsOf = async (person_id: string) =>
  (await read(person_id)).leads.map(({ campaign_lead_id }) => campaign_lead_id).toSorted()

test('whoever is merged is listed no more, and their leads and id stand for the other', async () => {
  const [work, home] = [
    await aPerson({ email: 'ada@acme.example' }),
    await aPerson({ email: 'ada@free.example' }),
  ]
  const { status, body } = await merge(work.person_id, home.person_id)
  expect(status).toBe(200)
  expect(body.identities.map(({ email }) => email)).toEqual(['ada@acme.example', 'ada@free.example'])
  expect(await leadsOf(work.person_id)).toEqual([work.campaign_lead_id, home.campaign_lead_id].toSorted())
  expect((await read(home.person_id)).person_id).toBe(work.person_id)
  expect((await call(ListPeople, { as: owner })).body.items.map(({ email }) => email)).toEqual([
    'ada@acme.example',
  ])
})

test('a split undoes a merge, of addresses and of profiles', async () => {
  const work = await aPerson({ email: 'ada@acme.example' })
  const home = await aPerson({ email: 'ada@free.example' })
  const profile = await aPerson({
    profile: 'linkedin:linkedin.com/in/ada',
    spelled: 'https://www.linkedin.com/in/Ada?x=1',
  })
  await merge(work.person_id, home.person_id)
  await merge(work.person_id, profile.person_id)
  expect(await leadsOf(work.person_id)).toHaveLength(3)
  expect((await split(work.person_id, [home.person_id, profile.person_id])).status).toBe(200)
  for (const person of [work, home, profile])
    expect(await leadsOf(person.person_id)).toEqual([person.campaign_lead_id])
})

test('those who were merged into somebody go along, and can be taken out of whom they became', async () => {
  const [a, b, c] = [
    await aPerson({ email: 'a@acme.example' }),
    await aPerson({ email: 'b@acme.example' }),
    await aPerson({ email: 'c@acme.example' }),
  ]
  await merge(b.person_id, a.person_id)
  const { body } = await merge(c.person_id, b.person_id)
  expect(body.identities.map(({ email }) => email)).toEqual([
    'c@acme.example',
    'a@acme.example',
    'b@acme.example',
  ])
  await split(c.person_id, [a.person_id])
  expect(await leadsOf(a.person_id)).toEqual([a.campaign_lead_id])
  expect(await leadsOf(c.person_id)).toEqual([b.campaign_lead_id, c.campaign_lead_id].toSorted())
})

test('409 for one person already, and for somebody who was merged elsewhere', async () => {
  const [a, b, c] = [
    await aPerson({ email: 'a@acme.example' }),
    await aPerson({ email: 'b@acme.example' }),
    await aPerson({ email: 'c@acme.example' }),
  ]
  expect((await merge(a.person_id, a.person_id)).error.detail).toBe('same_person')
  await merge(a.person_id, b.person_id)
  expect((await merge(a.person_id, b.person_id)).error.detail).toBe('same_person')
  expect((await merge(c.person_id, b.person_id)).error.detail).toBe('conflict')
  expect(await leadsOf(a.person_id)).toHaveLength(2)
})

test('of two merges of each other at once, one is refused and nobody is lost', async () => {
  const [a, b] = [await aPerson({ email: 'a@acme.example' }), await aPerson({ email: 'b@acme.example' })]
  const both = await Promise.all([merge(a.person_id, b.person_id), merge(b.person_id, a.person_id)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect((await call(ListPeople, { as: owner })).body.total).toBe(1)
  expect(await leadsOf(a.person_id)).toHaveLength(2)
})

test("404 for another workspace's people, and they are left as they were", async () => {
  const theirs = await aPerson({ email: 'a@acme.example' })
  owner = await aUser()
  const mine = await aPerson({ email: 'b@acme.example' })
  const before = await db.person.findUnique({ where: { person_id: theirs.person_id } })
  expect((await merge(mine.person_id, theirs.person_id)).error.detail).toBe('person_not_found')
  expect((await merge(theirs.person_id, mine.person_id)).error.detail).toBe('person_not_found')
  expect((await split(mine.person_id, [theirs.person_id])).error.detail).toBe('not_merged')
  expect((await split(theirs.person_id, [theirs.person_id])).status).toBe(404)
  expect(await db.person.findUnique({ where: { person_id: theirs.person_id } })).toEqual(before)
})
