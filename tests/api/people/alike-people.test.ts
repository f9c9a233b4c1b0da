import { expect, test } from 'vitest'
import { MergePeople, ReadPerson } from '#lib/contracts/leads/people'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'

async function people(...known: { email?: string; profile?: string }[]) {
  const owner = await aUser()
  const { workspace_id } = owner
  const ids: string[] = []
  for (const one of known) ids.push((await db.person.create({ data: { workspace_id, ...one } })).person_id)
  const alike = async (at: number) => {
    const params = { person_id: ids[at] ?? '' }
    const { body } = await call(ReadPerson, { as: owner, params })
    return body.alike.map(({ person_id }) => ids.indexOf(person_id))
  }
  return { owner, ids, alike }
}

test('addresses that differ in a tag, or in dots at Gmail, are suggested and stay people of their own', async () => {
  const { alike, owner, ids } = await people(
    { email: 'a.da@gmail.com' },
    { email: 'ada+news@googlemail.com' },
    { email: 'adam@gmail.com' },
    { email: 'ada@acme.example' },
    { email: 'ada+x@acme.example' },
    { email: 'a.da@acme.example' },
    { email: 'ada@other.example' },
  )
  expect(await alike(0)).toEqual([1])
  expect(await alike(1)).toEqual([0])
  expect(await alike(2)).toEqual([])
  expect(await alike(3)).toEqual([4])
  expect(await alike(4)).toEqual([3])
  expect(await alike(5)).toEqual([])
  await call(MergePeople, { as: owner, body: { into: ids[0], from: ids[1] } })
  expect(await alike(0)).toEqual([])
})

test('profiles that were kept in two spellings are suggested, from either', async () => {
  const { alike } = await people(
    { profile: 'linkedin:linkedin.com/in/josé' },
    { profile: 'linkedin:linkedin.com/in/jos%c3%a9' },
    { profile: 'linkedin:josé' },
    { email: 'jose@acme.example', profile: 'linkedin:linkedin.com/in/josé' },
    { profile: 'linkedin:linkedin.com/in/josefa' },
    { profile: 'twitter:x.com/josé' },
  )
  expect(await alike(0)).toEqual([1, 2, 3])
  expect(await alike(1)).toEqual([0, 2, 3])
  expect(await alike(2)).toEqual([0, 1, 3])
  expect(await alike(4)).toEqual([])
  expect(await alike(5)).toEqual([])
})

test('nobody of another workspace is suggested', async () => {
  const mine = await people({ email: 'a.d.a@gmail.com' })
  await people({ email: 'ada@gmail.com' })
  expect(await mine.alike(0)).toEqual([])
})
