import { afterEach, describe, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { enrolLeads } from '#lib/services/launch/enrolment'
import { mergePeople, splitPerson } from '#lib/services/leads/people/merging'
import { aCampaign, aDataset, anAccount, aUser } from '#tests/support/scenes/factories'
import { MONDAY, OPEN } from '#tests/support/scenes/launched'
import { MESSAGE } from '#tests/support/scenes/launched-social'

type Row = { email: string | null; [field: string]: string | null }
type Owner = { workspace_id: string; user_id: string }

afterEach(async () => {
  await db.campaign.deleteMany()
})

const ANA: Row = { email: 'ana@acme.example', phone: '+49 170 1234567' }
const BO: Row = { email: 'bo@acme.example', phone: '+49 170 1234567' }
const DIALLED: Row = { email: null, phone: '0170 1234567', country: 'Germany' }

async function enrolled(owner: Owner, rows: Row[], fields: Record<string, unknown> = {}) {
  const { dataset_id } = await aDataset(owner, rows)
  const { campaign_id } = await aCampaign(owner, { ...OPEN, dataset_id, ...fields })
  await db.campaign.update({ where: { campaign_id }, data: { status: 'launching', launched_at: MONDAY } })
  await enrolLeads(campaign_id, MONDAY)
  const leads = await db.campaignLead.findMany({ where: { campaign_id }, orderBy: { lead_index: 'asc' } })
  return leads.map(({ person_id }) => person_id)
}
const peopleOf = ({ workspace_id }: Owner) =>
  db.person.findMany({ where: { workspace_id }, orderBy: { person_id: 'asc' } })
const addresses = async (owner: Owner) => (await peopleOf(owner)).map(({ email }) => email)

describe('a row that says a telephone number alone', () => {
  test('is one person, however lists spell the number', async () => {
    const owner = await aUser()
    const [first] = await enrolled(owner, [DIALLED])
    const [second, third] = await enrolled(owner, [
      { email: null, phone: '0049 170 / 123 45 67' },
      { email: null, phone: '+491701234567' },
    ])
    expect(await peopleOf(owner)).toMatchObject([{ telephone: '+491701234567', phone: '0170 1234567' }])
    expect([second, third]).toEqual([first, first])
    expect(first).not.toBeNull()
  })

  test('is nobody where the number says no country', async () => {
    const owner = await aUser()
    expect(await enrolled(owner, [{ email: null, phone: '0170 1234567' }])).toEqual([null])
    expect(await peopleOf(owner)).toEqual([])
  })

  test('is the only one who has the number, in the same list or an earlier one', async () => {
    const owner = await aUser()
    const [ana, here] = await enrolled(owner, [ANA, DIALLED])
    const [later] = await enrolled(owner, [DIALLED])
    expect([here, later]).toEqual([ana, ana])
    expect(await addresses(owner)).toEqual(['ana@acme.example'])
  })

  test('is nobody of a switchboard: several have its number', async () => {
    const owner = await aUser()
    const [ana, bo, dialled] = await enrolled(owner, [ANA, BO, DIALLED])
    expect(new Set([ana, bo, dialled]).size).toBe(3)
    expect(await enrolled(owner, [DIALLED])).toEqual([dialled])
  })

  test('gets the address that a later list says, unless that list has several', async () => {
    const [owner, other] = [await aUser(), await aUser()]
    const [alone] = await enrolled(owner, [DIALLED])
    expect(await enrolled(owner, [ANA])).toEqual([alone])
    expect(await addresses(owner)).toEqual(['ana@acme.example'])
    await enrolled(other, [DIALLED])
    await enrolled(other, [ANA, BO])
    expect((await addresses(other)).toSorted()).toEqual(['ana@acme.example', 'bo@acme.example', null])
  })

  test('belongs to its workspace', async () => {
    const [owner, other] = [await aUser(), await aUser()]
    const [mine] = await enrolled(owner, [ANA])
    const [theirs] = await enrolled(other, [DIALLED])
    expect(theirs).not.toBe(mine)
  })

  test('merges, and is parted again with its leads', async () => {
    const owner = await aUser()
    const { workspace_id } = owner
    const [dialled, ana] = await enrolled(owner, [
      DIALLED,
      { email: 'ana@acme.example', phone: '+49 30 1234567' },
    ])
    await mergePeople(workspace_id, { into: ana ?? '', from: dialled ?? '' })
    expect(await enrolled(owner, [DIALLED])).toEqual([ana])
    const { identities } = await splitPerson(workspace_id, ana ?? '', [dialled ?? ''])
    expect(identities).toMatchObject([{ email: 'ana@acme.example', telephone: null }])
    const leads = await db.campaignLead.findMany({
      where: { workspace_id },
      orderBy: { campaign_lead_id: 'asc' },
    })
    const whose = (email: string | null) => [
      ...new Set(leads.filter((lead) => lead.email === email).map((lead) => lead.person_id)),
    ]
    expect([whose(null), whose('ana@acme.example')]).toEqual([[dialled], [ana]])
  })
})

test('on WhatsApp, where the number is the profile, it is the same person as elsewhere', async () => {
  const owner = await aUser()
  const { account_id } = await anAccount(owner, { provider: 'whatsapp' })
  const social = { steps_config: [MESSAGE], connected_account_id: account_id }
  const [dialled] = await enrolled(owner, [DIALLED], social)
  expect(dialled).not.toBeNull()
  expect(await enrolled(owner, [ANA])).toEqual([dialled])
  expect(await peopleOf(owner)).toMatchObject([{ email: ANA.email, telephone: '+491701234567' }])
})
