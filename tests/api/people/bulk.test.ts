import { expect, test } from 'vitest'
import {
  CreatePeopleDataset,
  ListPeople,
  MAX_TAGS,
  MergePeople,
  SuppressPeople,
  TagPeople,
} from '#lib/contracts/leads/people'
import { ListSuppressions } from '#lib/contracts/leads/suppressions'
import { db } from '#lib/db/client'
import { suggestTags } from '#lib/services/leads/people/list'
import { call } from '#tests/support/call'
import { anEnrolledLead, aUser } from '#tests/support/scenes/factories'

type User = Awaited<ReturnType<typeof aUser>>

const aPersonOf = (owner: User, data: object) =>
  db.person.create({ data: { workspace_id: owner.workspace_id, ...data } })
const tagsOf = async (person_id: string) => (await db.person.findUniqueOrThrow({ where: { person_id } })).tags

test('tags are added to and taken from several at once, each once, and only of their owner', async () => {
  const [owner, other] = [await aUser(), await aUser()]
  const ada = await aPersonOf(owner, { email: 'ada@example.com', tags: ['lead', 'berlin'] })
  const bob = await aPersonOf(owner, { email: 'bob@example.com', tags: ['partner'] })
  const foreign = await aPersonOf(other, { email: 'ada@example.com' })
  const person_ids = [ada, bob, foreign].map((person) => person.person_id)
  const body = { person_ids, add_tags: ['partner'], remove_tags: ['lead'] }
  const answer = await call(TagPeople, { as: owner, body })
  expect([answer.status, answer.body.changed]).toEqual([200, [ada.person_id]])
  expect(await tagsOf(ada.person_id)).toEqual(['berlin', 'partner'])
  expect(await tagsOf(bob.person_id)).toEqual(['partner'])
  expect(await tagsOf(foreign.person_id)).toEqual([])
  // A concurrent edit of one of them is refused as outdated.
  const { version } = await db.person.findUniqueOrThrow({ where: { person_id: ada.person_id } })
  expect(version).toBe(ada.version + 1)
})

test('whoever would have too many tags is left as they are, and 422 without any', async () => {
  const owner = await aUser()
  const tags = Array.from({ length: MAX_TAGS }, (_, index) => `t${index}`)
  const full = await aPersonOf(owner, { email: 'ada@example.com', tags })
  const person_ids = [full.person_id]
  const { body } = await call(TagPeople, { as: owner, body: { person_ids, add_tags: ['more'] } })
  expect(body.changed).toEqual([])
  expect(await tagsOf(full.person_id)).toEqual(tags)
  expect((await call(TagPeople, { as: owner, body: { person_ids } })).status).toBe(422)
})

test('people are suppressed by address, else by profile and telephone; leads that wait end', async () => {
  const owner = await aUser()
  const lead = await anEnrolledLead(owner, { email: 'ada@example.com' })
  const kept = await anEnrolledLead(owner, { email: 'eve@example.com' })
  const ada = await aPersonOf(owner, { email: 'ada@example.com', phone: '+49 30 1234567' })
  const bob = await aPersonOf(owner, { profile: 'linkedin:linkedin.com/in/bob', phone: '+49 30 7654321' })
  const nobody = await aPersonOf(owner, { first_name: 'Nobody' })
  const second = await aPersonOf(owner, { email: 'ada@private.example' })
  await call(MergePeople, { as: owner, body: { into: ada.person_id, from: second.person_id } })
  const person_ids = [ada, bob, nobody].map((person) => person.person_id)
  const { status, body } = await call(SuppressPeople, { as: owner, body: { person_ids } })
  expect([status, body]).toEqual([200, { added: 4, already_listed: 0, leads_ended: 1 }])
  const { items } = (await call(ListSuppressions, { as: owner })).body
  expect(items.map(({ value }) => value).toSorted()).toEqual([
    '+49307654321',
    'ada@example.com',
    'ada@private.example',
    'linkedin.com/in/bob',
  ])
  const statusOf = async ({ campaign_lead_id }: { campaign_lead_id: string }) =>
    (await db.campaignLead.findUniqueOrThrow({ where: { campaign_lead_id } })).status
  expect([await statusOf(lead), await statusOf(kept)]).toEqual(['unsubscribed', 'active'])
  const again = await call(SuppressPeople, { as: owner, body: { person_ids: [nobody.person_id] } })
  expect(again.body).toEqual({ added: 0, already_listed: 0, leads_ended: 0 })
})

test('a list is made of the people who are named, and of nobody else’s', async () => {
  const [owner, other] = [await aUser(), await aUser()]
  const ada = await aPersonOf(owner, { email: 'ada@example.com' })
  await aPersonOf(owner, { email: 'bob@example.com' })
  const foreign = await aPersonOf(other, { email: 'eve@example.com' })
  const person_ids = [ada.person_id, foreign.person_id]
  const { status, body } = await call(CreatePeopleDataset, {
    as: owner,
    body: { dataset_name: 'Chosen', person_ids },
  })
  expect([status, body.row_count]).toEqual([201, 1])
  const none = await call(CreatePeopleDataset, {
    as: owner,
    body: { dataset_name: 'None', person_ids: [foreign.person_id] },
  })
  expect(none.status).toBe(409)
  expect((await call(ListPeople, { as: owner })).body.total).toBe(2)
})

test('the tags to choose from are those of the workspace, each once', async () => {
  const [owner, other] = [await aUser(), await aUser()]
  await aPersonOf(owner, { email: 'ada@example.com', tags: ['partner', 'Berlin'] })
  await aPersonOf(owner, { email: 'bob@example.com', tags: ['partner'] })
  await aPersonOf(other, { email: 'ada@example.com', tags: ['foreign'] })
  expect(await suggestTags(owner.workspace_id)).toEqual(['Berlin', 'partner'])
})
