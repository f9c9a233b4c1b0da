import { afterEach, describe, expect, test } from 'vitest'
import { AddSuppressions } from '#lib/contracts/leads/suppressions'
import { db, pool } from '#lib/db/client'
import { leadsOfDataset } from '#lib/services/forecast/leads'
import { launchChecks } from '#lib/services/launch/advice'
import { enrolLeads } from '#lib/services/launch/enrolment'
import { suppress } from '#lib/services/leads/endings'
import { datasetRule } from '#lib/services/leads/rows/whole-dataset'
import { resumeLeads, stopLeads } from '#lib/services/leads/stops'
import { suppressLeads } from '#lib/services/leads/suppressions'
import { dispatchDue } from '#lib/services/sending/run'
import { call } from '#tests/support/call'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { memorySocial } from '#tests/support/doubles/memory-social'
import { aCampaign, aDataset, aUser } from '#tests/support/scenes/factories'
import { leadsOf, MONDAY, minutes, OPEN } from '#tests/support/scenes/launched'
import { launchedSocial, profile, VISIT } from '#tests/support/scenes/launched-social'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

type Owner = { workspace_id: string }
const statuses = async (campaign_id: string) => (await leadsOf(campaign_id)).map(({ status }) => status)
const entry = ({ workspace_id }: Owner, value: string) =>
  ({ workspace_id, values: [value], reason: 'manual', status: 'unsubscribed' }) as const
/** On the list only, without a lookup of the person that it names. */
const listed = ({ workspace_id }: Owner, value: string) =>
  db.suppression.create({ data: { workspace_id, value, reason: 'manual' } })
const visited = async (at = MONDAY) => {
  const social = memorySocial()
  await dispatchDue({ mail: memoryMail().provider, social: social.drivers, clock: () => at })
  return social.done.map(({ action }) => ('provider_id' in action ? action.provider_id : null))
}
type Row = { email: string | null; [field: string]: string | null }
const social = (rows: Row[] = [profile('ada'), profile('bob')]) =>
  launchedSocial({ steps_config: [VISIT] }, rows)

describe('a profile or a telephone number on the list', () => {
  test('is found by the claim of a social step', async () => {
    const { owner, campaign_id } = await social()
    await listed(owner, 'linkedin.com/in/ada')
    await visited()
    expect(await visited(minutes(1))).not.toContain('id-ada')
    expect((await statuses(campaign_id))[0]).toBe('unsubscribed')
    expect((await statuses(campaign_id))[1]).not.toBe('unsubscribed')
  })

  test('of a parent too, by the number that the row has in its country', async () => {
    const parent = await aUser()
    const { owner, campaign_id } = await social([
      { ...profile('ada'), phone: '0170 / 123 45 67', country: 'Germany' },
      profile('bob'),
    ])
    await db.workspace.update({
      where: { workspace_id: owner.workspace_id },
      data: { parent_workspace_id: parent.workspace_id },
    })
    await listed(parent, '+491701234567')
    const done = [...(await visited()), ...(await visited(minutes(1)))]
    expect(done).not.toContain('id-ada')
    expect((await statuses(campaign_id))[0]).toBe('unsubscribed')
  })

  test.each(['https://www.linkedin.com/in/ADA/', '+49 170 1234567'])(
    '%s ends whoever waits, at once',
    async (value) => {
      const { owner, campaign_id } = await social([
        { ...profile('ada'), phone: '+49 (0)170 1234567' },
        profile('bob'),
      ])
      const { body } = await call(AddSuppressions, { as: owner, body: { value } })
      expect(body).toMatchObject({ added: 1, leads_ended: 1 })
      expect(await statuses(campaign_id)).toEqual(['unsubscribed', 'pending'])
    },
  )

  test('ends a lead of another list, whose person is known by it', async () => {
    const { owner } = await social()
    const row = await db.datasetRow.findFirstOrThrow({
      where: { workspace_id: owner.workspace_id, lead_index: 0 },
    })
    const { dataset_id } = await aDataset(owner, [{ email: row.email }])
    const { campaign_id } = await aCampaign(owner, { ...OPEN, dataset_id })
    await db.campaign.update({ where: { campaign_id }, data: { status: 'launching', launched_at: MONDAY } })
    await enrolLeads(campaign_id, MONDAY)
    expect(await suppress(pool(), entry(owner, 'linkedin.com/in/ada'), MONDAY)).toEqual({
      added: 1,
      ended: 2,
    })
    expect(await statuses(campaign_id)).toEqual(['unsubscribed'])
  })

  test('holds in no other workspace', async () => {
    const [{ owner }, other] = [await social(), await social()]
    expect(await suppress(pool(), entry(owner, 'linkedin.com/in/ada'), MONDAY)).toMatchObject({ ended: 1 })
    expect(await statuses(other.campaign_id)).toEqual(['pending', 'pending'])
  })

  test('passes rows over at a launch; checks and forecast say so beforehand', async () => {
    const owner = await aUser()
    await listed(owner, 'linkedin.com/in/ada')
    await listed(owner, '+491701234567')
    const rows = [profile('ada'), { ...profile('bob'), phone: '0049 170 1234567' }, profile('eve')]
    const { dataset_id } = await aDataset(owner, rows)
    const { workspace_id } = owner
    const { campaign_id } = await aCampaign(owner, { ...OPEN, dataset_id })
    const { warns, leads } = await launchChecks(workspace_id, campaign_id, MONDAY)
    expect(warns.find(({ code }) => code === 'rows_suppressed')?.message).toMatch(/^2 rows/)
    expect(leads).toBe(1)
    const reach = { mail: true, network: null, skip_emails: 'none', writes_to_left: false } as const
    const rule = await datasetRule(pool(), { workspace_id, dataset_id }, reach)
    expect([...(await leadsOfDataset(pool(), workspace_id, dataset_id, rule))]).toEqual([2])
    await db.campaign.update({ where: { campaign_id }, data: { status: 'launching', launched_at: MONDAY } })
    await enrolLeads(campaign_id, MONDAY)
    expect((await leadsOf(campaign_id)).map(({ status, reason }) => [status, reason])).toEqual([
      ['skipped', 'suppressed'],
      ['skipped', 'suppressed'],
      ['pending', null],
    ])
  })

  test('keeps a stopped lead stopped', async () => {
    const { owner, campaign_id } = await social()
    const [lead] = await leadsOf(campaign_id)
    const ids = [lead?.campaign_lead_id ?? '']
    await stopLeads(owner.workspace_id, campaign_id, ids, MONDAY)
    await listed(owner, 'linkedin.com/in/ada')
    const { changed, unchanged } = await resumeLeads(owner.workspace_id, campaign_id, ids, MONDAY)
    expect([changed, unchanged[0]?.reason]).toEqual([[], 'suppressed'])
  })

  test('is what leads without an address are listed by', async () => {
    const { owner, campaign_id } = await social([{ ...profile('ada'), email: null }, profile('bob')])
    const [lead] = await leadsOf(campaign_id)
    const ids = [lead?.campaign_lead_id ?? '']
    const done = await suppressLeads(owner.workspace_id, campaign_id, ids, MONDAY)
    expect(done).toMatchObject({ added: 1, leads_ended: 1 })
    expect(
      await db.suppression.findMany({ where: { workspace_id: owner.workspace_id }, select: { value: true } }),
    ).toEqual([{ value: 'linkedin.com/in/ada' }])
  })
})
