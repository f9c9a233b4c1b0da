import { afterEach, expect, test } from 'vitest'
import { ReadLaunchChecks } from '#lib/contracts/campaigns/launch-checks'
import { db } from '#lib/db/client'
import { activateCampaign, enrolLeads } from '#lib/services/launch/enrolment'
import { launchCampaign } from '#lib/services/launch/lifecycle'
import { call } from '#tests/support/call'
import { aCampaign, aDataset, aMailbox, aUser } from '#tests/support/scenes/factories'
import { dispatchAt, MONDAY, OPEN, planned, playOut } from '#tests/support/scenes/launched'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
  await db.mailbox.deleteMany()
  await db.recipientDomain.deleteMany()
})

const STEPS = [{ subject: 'A', message_template: 'B' }]
const SETTINGS = { match_providers: true, min_interval_seconds: 60, steps_config: STEPS }

/** A mailbox on a server of its own, one at Google (two a day) and one at Microsoft, and people at both and elsewhere. */
async function aWorkspace() {
  await db.recipientDomain.createMany({
    data: [
      { domain: 'at-google.example', provider: 'google' },
      { domain: 'at-microsoft.example', provider: 'microsoft' },
      { domain: 'at-yahoo.example', provider: 'yahoo' },
    ],
  })
  const owner = await aUser()
  const own = await aMailbox(owner, { daily_limit: 40 })
  const google = await aMailbox(owner, { host: 'smtp.gmail.com', daily_limit: 2 })
  const microsoft = await aMailbox(owner, { host: 'smtp.office365.com', daily_limit: 10 })
  const at = ['google', 'google', 'microsoft', 'yahoo', 'google', 'nowhere', 'microsoft']
  const rows = at.map((name, index) => ({
    email: `lead-${index}@at-${name}.example`,
    first_name: `L${index}`,
  }))
  const { dataset_id } = await aDataset(owner, rows)
  const names = new Map([
    [own.mailbox_id, 'own'],
    [google.mailbox_id, 'google'],
    [microsoft.mailbox_id, 'microsoft'],
  ])
  const takers = async (campaign_id: string) =>
    (await db.campaignLead.findMany({ where: { campaign_id }, orderBy: { lead_index: 'asc' } })).map(
      ({ mailbox_id }) => names.get(mailbox_id ?? ''),
    )
  const launch = async (fields: Record<string, unknown>) => {
    const { campaign_id } = await aCampaign(owner, { ...OPEN, dataset_id, ...SETTINGS, ...fields })
    await launchCampaign(owner.workspace_id, campaign_id, null, MONDAY)
    await enrolLeads(campaign_id, MONDAY)
    await activateCampaign(campaign_id, MONDAY)
    return campaign_id
  }
  return { owner, own, microsoft, dataset_id, takers, launch }
}

test('each lead gets a mailbox of its own provider first, over as many claims as it takes, as the forecast said', async () => {
  const { owner, takers, launch } = await aWorkspace()
  const campaign_id = await launch({})
  const promised = await planned(owner.workspace_id, campaign_id)
  expect(await playOut(campaign_id)).toEqual(promised)
  expect(promised).toHaveLength(7)
  // The third lead at Google does not wait for tomorrow.
  expect(await takers(campaign_id)).toEqual([
    'google',
    'google',
    'microsoft',
    'own',
    'own',
    'own',
    'microsoft',
  ])
})

test('without the option room alone decides', async () => {
  const { takers, launch } = await aWorkspace()
  const campaign_id = await launch({ match_providers: false })
  await playOut(campaign_id)
  expect(await takers(campaign_id)).toEqual(Array(7).fill('own'))
})

test('a mailbox is with whoever granted access to it, whatever its server is called', async () => {
  const { owner, microsoft, takers, launch } = await aWorkspace()
  await db.mailboxGrant.create({
    data: {
      mailbox_id: microsoft.mailbox_id,
      workspace_id: owner.workspace_id,
      vendor: 'google',
      client_id: 'client',
      subject: 'somebody',
      refresh_token: 'sealed',
    },
  })
  const campaign_id = await launch({})
  await dispatchAt(MONDAY)
  // The mailbox at Google has more room than the other one.
  expect(await takers(campaign_id)).toEqual(['microsoft', ...Array(6).fill(undefined)])
})

test('a draft has the forecast of the campaign that it becomes', async () => {
  const { owner, dataset_id, launch } = await aWorkspace()
  const steps_config = [...STEPS, { delay_days: 0, message_template: 'C' }]
  const fields = { daily_limit: 5, steps_config }
  const draft = await aCampaign(owner, { ...OPEN, dataset_id, ...SETTINGS, ...fields })
  const before = await planned(owner.workspace_id, draft.campaign_id)
  const campaign_id = await launch(fields)
  expect(await planned(owner.workspace_id, campaign_id)).toHaveLength(before.length)
  expect(before).toHaveLength(14)
})

test('launch checks count the leads of each provider, and say where matching changes nothing', async () => {
  const { owner, own, dataset_id } = await aWorkspace()
  const check = async (fields: Record<string, unknown>) => {
    const { campaign_id } = await aCampaign(owner, { ...OPEN, dataset_id, ...SETTINGS, ...fields })
    const { body } = await call(ReadLaunchChecks, { as: owner, params: { campaign_id } })
    return [...body.warns, ...body.informs].filter(({ code }) => code.startsWith('providers_'))
  }
  expect(await check({})).toMatchObject([
    {
      code: 'providers_matched',
      message:
        'Leads go to a mailbox at their own provider first: 3 at Google; 2 at Microsoft. The provider of 1 is not known yet. Any mailbox can send to them.',
      fix: expect.stringContaining('/settings'),
    },
  ])
  expect(await check({ alias_ids: [own.mailbox_id] })).toMatchObject([{ code: 'providers_alike' }])
  expect(await check({ match_providers: false })).toEqual([])
})
