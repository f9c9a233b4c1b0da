import { afterEach, describe, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { enrolLeads } from '#lib/services/launch/enrolment'
import { aCampaign, aDataset, aUser } from '#tests/support/scenes/factories'
import { MONDAY, OPEN } from '#tests/support/scenes/launched'

type Row = { email: string | null; [field: string]: string | null }
type Owner = Awaited<ReturnType<typeof aUser>>

afterEach(async () => {
  await db.campaign.deleteMany()
})

const ANA: Row = { email: 'ana@acme.example', first_name: 'Ana', title: 'CTO' }

async function enrolled(owner: Owner, rows: Row[]) {
  const { dataset_id } = await aDataset(owner, rows)
  const { campaign_id } = await aCampaign(owner, { ...OPEN, dataset_id })
  await db.campaign.update({ where: { campaign_id }, data: { status: 'launching', launched_at: MONDAY } })
  await enrolLeads(campaign_id, MONDAY)
  return db.campaignLead.findMany({ where: { campaign_id }, orderBy: { lead_index: 'asc' } })
}
const peopleOf = ({ workspace_id }: Owner) =>
  db.person.findMany({ where: { workspace_id }, include: { of_company: true }, orderBy: { email: 'asc' } })
const onlyOf = async (owner: Owner) => {
  const [person, another] = await peopleOf(owner)
  expect(another).toBeUndefined()
  return person
}

describe('whom enrolment knows', () => {
  test('one person for an address, however many lists and rows name it', async () => {
    const owner = await aUser()
    const first = await enrolled(owner, [ANA, { ...ANA, title: null }])
    const second = await enrolled(owner, [{ ...ANA, country: 'Spain' }])
    const person = await onlyOf(owner)
    expect(person).toMatchObject({ first_name: 'Ana', title: 'CTO', country: 'Spain' })
    expect([...first, ...second].map(({ person_id }) => person_id)).toEqual(Array(3).fill(person?.person_id))
  })

  test('a company for a domain, and none for free mail', async () => {
    const owner = await aUser()
    await enrolled(owner, [
      { ...ANA, company: 'Acme Ltd' },
      { email: 'bo@acme.example' },
      { email: 'cy@gmail.com', company: 'Cy & Sons' },
    ])
    expect((await peopleOf(owner)).map((person) => person.of_company?.name ?? null)).toEqual([
      'Acme Ltd',
      'Acme Ltd',
      null,
    ])
  })

  test('another workspace knows nobody of it', async () => {
    const [owner, other] = [await aUser(), await aUser()]
    const [lead] = await enrolled(owner, [ANA])
    const [same] = await enrolled(other, [ANA])
    expect(same?.person_id).not.toBe(lead?.person_id)
    expect(await peopleOf(other)).toHaveLength(1)
  })

  test('by the profile where there is no address, and by both once a list says both', async () => {
    const owner = await aUser()
    const [alone] = await enrolled(owner, [{ email: null, linkedin_url: 'https://www.linkedin.com/in/ana/' }])
    const [again] = await enrolled(owner, [{ email: null, linkedin_url: 'linkedin.com/in/Ana?trk=x' }])
    const [shared] = await enrolled(owner, [
      { email: null, linkedin_url: 'linkedin.com/in/ana/?utm=x#about' },
    ])
    const [both] = await enrolled(owner, [{ ...ANA, linkedin_url: 'linkedin.com/in/ana' }])
    const person = await onlyOf(owner)
    expect(person).toMatchObject({ email: ANA.email, profile: 'linkedin:linkedin.com/in/ana' })
    expect([alone, again, shared, both].map((lead) => lead?.person_id)).toEqual(
      Array(4).fill(person?.person_id),
    )
  })

  test.each([
    ['https://uk.linkedin.com/in/Ana', 'https://www.linkedin.com/in/ana/en?trk=x'],
    ['http://m.linkedin.com/in/ana', 'linkedin.com/in/ana/details/experience/'],
    ['www.linkedin.com/in/ana#about', 'https://mobile.linkedin.com/in/ana/'],
  ])('by the profile, in whatever spelling: %s and %s', async (one, other) => {
    const owner = await aUser()
    await enrolled(owner, [{ email: null, linkedin_url: one }])
    await enrolled(owner, [{ email: null, linkedin_url: other }])
    expect(await onlyOf(owner)).toMatchObject({ profile: 'linkedin:linkedin.com/in/ana' })
  })

  test('known people and new ones in one list, each as the first row of their address says', async () => {
    const owner = await aUser()
    const bo: Row = { email: 'bo@acme.example', first_name: 'Bo' }
    const [knownAna, knownBo] = await enrolled(owner, [ANA, bo])
    const profile = 'linkedin.com/in/cy'
    const leads = await enrolled(owner, [
      ANA,
      { ...bo, title: 'CEO' },
      { email: 'di@globex.example', first_name: 'Di' },
      { ...ANA, title: 'Janitor' },
      { email: null, linkedin_url: profile },
      { email: null },
    ])
    const people = await peopleOf(owner)
    expect(people.map(({ email, profile: of, title }) => [email ?? of, title])).toEqual([
      [ANA.email, 'CTO'],
      [bo.email, 'CEO'],
      ['di@globex.example', null],
      [`linkedin:${profile}`, null],
    ])
    const [ana, newBo, di, janitor, cy, nobody] = leads.map(({ person_id }) => person_id)
    expect([ana, janitor]).toEqual([knownAna?.person_id, knownAna?.person_id])
    expect([newBo, di, cy]).toEqual([knownBo?.person_id, people[2]?.person_id, people[3]?.person_id])
    expect(nobody).toBeNull()
    expect(leads.map(({ status }) => status).filter((status) => status === 'pending')).toHaveLength(3)
  })

  test('nobody in a row that says neither', async () => {
    const owner = await aUser()
    const [lead] = await enrolled(owner, [{ email: null, first_name: 'Ana' }])
    expect(lead).toMatchObject({ status: 'skipped', person_id: null })
    expect(await peopleOf(owner)).toEqual([])
  })

  test('what somebody corrected, no list says otherwise', async () => {
    const owner = await aUser()
    await enrolled(owner, [ANA])
    const where = { workspace_id_email: { workspace_id: owner.workspace_id, email: 'ana@acme.example' } }
    await db.person.update({ where, data: { first_name: 'Anna', edited_at: MONDAY } })
    await enrolled(owner, [{ ...ANA, first_name: 'ANA' }])
    expect(await onlyOf(owner)).toMatchObject({ first_name: 'Anna' })
  })

  test('whoever was merged into somebody is them in every later campaign', async () => {
    const owner = await aUser()
    const [ana, private_] = await enrolled(owner, [ANA, { email: 'ana@gmail.com' }])
    await db.person.update({
      where: { person_id: private_?.person_id ?? '' },
      data: { merged_into_id: ana?.person_id ?? '' },
    })
    const [lead] = await enrolled(owner, [{ email: 'ana@gmail.com' }])
    expect(lead?.person_id).toBe(ana?.person_id)
  })

  test('two launches over the same people wait for each other', async () => {
    const owner = await aUser()
    const rows = Array.from({ length: 400 }, (_, n) => ({ email: `lead-${n}@acme-${n % 40}.example` }))
    const both = await Promise.all([enrolled(owner, rows), enrolled(owner, rows.toReversed())])
    expect(await db.person.count({ where: { workspace_id: owner.workspace_id } })).toBe(400)
    expect(both.flat().filter(({ person_id }) => person_id === null)).toEqual([])
  })
})
