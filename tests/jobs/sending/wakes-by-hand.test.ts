import { afterEach, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { mergePeople, splitPerson } from '#lib/services/leads/people/merging'
import { updatePerson } from '#lib/services/leads/people/person'
import { launchedOver } from '#tests/support/scenes/begun'
import { aDataset } from '#tests/support/scenes/factories'
import { dispatchAt, launched, MONDAY, minutes } from '#tests/support/scenes/launched'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

/** A workspace, and a function to launch campaigns over addresses in it. */
async function aWorkspace(policy: { company_max_active?: number } = {}) {
  const made = await launched({}, 1)
  await db.campaign.deleteMany()
  const { workspace_id } = made.owner
  await db.workspace.update({ where: { workspace_id }, data: policy })
  const launch = async (...emails: string[]) => {
    const { dataset_id } = await aDataset(
      made.owner,
      emails.map((email) => ({ email })),
    )
    return (await launchedOver(made, dataset_id, {})).campaign_id
  }
  const personOf = (email: string) =>
    db.person.findUniqueOrThrow({ where: { workspace_id_email: { workspace_id, email } } })
  return { workspace_id, launch, personOf }
}

/** A lead that is woken at an instant has its turn after it, so two dispatches are needed. */
async function sentFrom(at: Date) {
  const [woken, after] = [await dispatchAt(at), await dispatchAt(new Date(at.getTime() + 1))]
  return [...woken.outbox, ...after.outbox].map(({ to }) => to.address).toSorted()
}

test('whoever is split from the person that a campaign has waits for it no more', async () => {
  const { workspace_id, launch, personOf } = await aWorkspace()
  await launch('ada@acme.example')
  await launch('ada@free.example')
  const [work, home] = [await personOf('ada@acme.example'), await personOf('ada@free.example')]
  await mergePeople(workspace_id, { into: work.person_id, from: home.person_id })
  expect(await sentFrom(MONDAY)).toHaveLength(1)
  expect(await sentFrom(minutes(1))).toEqual([])
  await splitPerson(workspace_id, work.person_id, [home.person_id])
  expect(await sentFrom(minutes(2))).toHaveLength(1)
})

test('a company has room where somebody leaves it, and whoever comes to one with room goes on there', async () => {
  const { workspace_id, launch, personOf } = await aWorkspace({ company_max_active: 1 })
  await launch('a@acme.example', 'b@acme.example', 'c@acme.example')
  await launch('x@other.example')
  await dispatchAt(MONDAY)
  const begun = await db.action.findMany({ where: { workspace_id, status: 'sent' }, include: { lead: true } })
  expect(begun.map(({ lead }) => lead.email).toSorted()).toEqual(['a@acme.example', 'x@other.example'])
  expect(await sentFrom(minutes(1))).toEqual([])
  const { person_id } = await personOf('a@acme.example')
  const { company_id } = await personOf('x@other.example')
  await updatePerson(workspace_id, person_id, { company_id }, minutes(2))
  expect(await sentFrom(minutes(2))).toEqual(['b@acme.example'])
  const third = await db.company.create({ data: { workspace_id, domain: 'third.example' } })
  const c = await personOf('c@acme.example')
  await updatePerson(workspace_id, c.person_id, { company_id: third.company_id }, minutes(3))
  expect(await sentFrom(minutes(3))).toEqual(['c@acme.example'])
})
