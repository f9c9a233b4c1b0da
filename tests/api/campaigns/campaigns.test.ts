import { expect, test } from 'vitest'
import {
  CreateCampaign,
  DeleteCampaign,
  ListCampaigns,
  ReadCampaign,
  UpdateCampaign,
} from '#lib/contracts/campaigns/campaigns'
import { LaunchCampaign, PauseCampaign, ResumeCampaign } from '#lib/contracts/campaigns/lifecycle'
import { RemoveMember } from '#lib/contracts/workspaces/members'
import { db } from '#lib/db/client'
import { listOwners } from '#lib/services/campaigns/campaigns'
import { call } from '#tests/support/call'
import { aCampaign, aDataset, aMailbox, aTemplate, aUser } from '#tests/support/scenes/factories'
import { aMember } from '#tests/support/scenes/team'

const step = { message_template: 'Hello {{ first_name | default: "there" }}', subject: 'Hi' }

test('201 fills in every default', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner)
  const { status, body } = await call(CreateCampaign, { as: owner, body: { name: 'Spring', dataset_id } })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    workspace_id: owner.workspace_id,
    status: 'draft',
    type: 'email',
    launch_type: 'immediate',
    daily_limit: 50,
    sending_window_start: '09:00:00',
    sending_window_end: '17:00:00',
    sending_windows: null,
    holiday_country: null,
    holiday_region: null,
    min_interval_seconds: 60,
    timezone: 'UTC',
    schedule_timezone: 'campaign',
    send_days: ['mon', 'tue', 'wed', 'thu', 'fri'],
    steps_config: [],
    alias_ids: null,
    total_leads: null,
    processed_leads: 0,
    unreviewed_launch_policy: 'launch_default',
    stop_on_company_reply: false,
    skip_emails: 'invalid',
    contact_policy_override: null,
  })
})

test('times, days and steps are answered in one form whatever form they came in', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner)
  const { body } = await call(CreateCampaign, {
    as: owner,
    body: {
      name: 'Forms',
      dataset_id,
      type: 'mixed',
      sending_window_start: '22:30',
      send_days: ['Sunday', 'MON', 3, 'mon'],
      steps_config: [step, { channel: 'social', action_type: 'visit_profile', delay_days: 2 }],
      start_date: '2030-01-01T10:00:00+02:00',
    },
  })
  expect(body.sending_window_start).toBe('22:30:00')
  expect(body.send_days).toEqual(['mon', 'wed', 'sun'])
  expect(body.start_date).toBe('2030-01-01T08:00:00.000Z')
  expect(
    body.steps_config.map((each) => [each.step, each.channel, each.action_type, each.delay_days]),
  ).toEqual([
    [1, 'email', 'email', 0],
    [2, 'social', 'visit_profile', 2],
  ])
})

test.each([
  ['name', { name: '' }],
  ['description', { description: ' \n' }],
  ['system_prompt', { system_prompt: '\t' }],
  ['timezone', { timezone: 'Mars/Olympus' }],
  // A zone that ICU knows, but that the time zone library cannot compute with.
  ['timezone', { timezone: 'BST' }],
  ['timezone', { timezone: 'US/Pacific-New' }],
  ['daily_limit', { daily_limit: 0 }],
  ['send_days', { send_days: [] }],
  ['send_days', { send_days: ['someday'] }],
  ['sending_window_start', { sending_window_start: '25:00' }],
  // Instants whose year in UTC does not have four digits: once stored, they and every list with them could not be read again.
  ['start_date', { start_date: '9999-12-31T23:59:59-14:00' }],
  ['start_date', { start_date: '0001-01-01T00:00:00+14:00' }],
  ['start_date', { start_date: '0000-06-01T00:00:00Z' }],
  ['steps_config', { steps_config: [{ step: 2 }] }],
  ['steps_config', { steps_config: [{ variants: [{ label: 'A', weight: 0 }] }] }],
  ['steps_config', { steps_config: [{ channel: 'social', action_type: 'email' }] }],
  ['dataset_id', { dataset_id: '01900000-0000-7000-8000-000000000000' }],
  ['alias_ids', { alias_ids: ['01900000-0000-7000-8000-000000000000'] }],
])('422 names %s for %j, and nothing is kept', async (field, wrong) => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner)
  const { status, error } = await call(CreateCampaign, {
    as: owner,
    body: { name: 'Wrong', dataset_id, ...wrong },
  })
  expect(status).toBe(422)
  expect(error.details.map((detail: { loc: string[] }) => detail.loc[1])).toContain(field)
  expect((await call(ListCampaigns, { as: owner })).body.total).toBe(0)
})

test('an edit that a running campaign does not take is refused in a sentence', async () => {
  const owner = await aUser()
  const { campaign_id } = await aCampaign(owner)
  await db.campaign.update({ where: { campaign_id }, data: { status: 'active' } })
  const { status, error } = await call(UpdateCampaign, {
    as: owner,
    params: { campaign_id },
    body: { daily_limit: 7 },
  })
  expect([status, error.message]).toEqual([
    409,
    'While a campaign is active, you cannot change its daily_limit.',
  ])
})

test('search finds part of a name, name the whole of it, status its state', async () => {
  const owner = await aUser()
  for (const name of ['Spring sale', 'Spring', 'Autumn']) await aCampaign(owner, { name })
  const names = async (query: Record<string, string>) =>
    (await call(ListCampaigns, { as: owner, query })).body.campaigns.map((campaign) => campaign.name)
  expect(await names({ search: 'SPRING' })).toEqual(['Spring', 'Spring sale'])
  expect(await names({ name: 'Spring' })).toEqual(['Spring'])
  expect(await names({ status_filter: 'paused' })).toEqual([])
  expect(await names({ status: 'draft', page_size: '1' })).toEqual(['Autumn'])
})

test('409 names every blocking problem, and the campaign stays a draft', async () => {
  const owner = await aUser()
  const campaign = await aCampaign(owner, {
    steps_config: [{ ...step, subject: null, message_template: 'Dear {{ pet }}' }],
  })
  const params = { campaign_id: campaign.campaign_id }
  const { status, error } = await call(LaunchCampaign, { as: owner, params })
  expect(status).toBe(409)
  for (const problem of ['No connected mailbox', '{{ pet }}', 'needs a subject'])
    expect(error.detail).toContain(problem)
  expect((await call(ReadCampaign, { as: owner, params })).body.status).toBe('draft')
})

test('a launch, a pause and a resume move the status and remember what was interrupted', async () => {
  const owner = await aUser()
  await aMailbox(owner)
  const campaign = await aCampaign(owner, { steps_config: [step] })
  const as = { as: owner, params: { campaign_id: campaign.campaign_id } }
  const launched = await call(LaunchCampaign, as)
  expect([launched.status, launched.body.status]).toEqual([202, 'launching'])
  expect(launched.body.launch_job_id).toMatch(/^[0-9a-f-]{36}$/)
  expect((await call(LaunchCampaign, as)).status).toBe(409)
  const paused = await call(PauseCampaign, as)
  expect([paused.status, paused.body.status, paused.body.paused_reason]).toEqual([200, 'paused', 'user'])
  expect((await call(PauseCampaign, as)).body).toEqual(paused.body)
  const resumed = await call(ResumeCampaign, as)
  expect([resumed.status, resumed.body.status, resumed.body.paused_reason]).toEqual([200, 'launching', null])
})

test('a start in the future schedules', async () => {
  const owner = await aUser()
  await aMailbox(owner)
  const campaign = await aCampaign(owner, { steps_config: [step] })
  const start_date = new Date(Date.now() + 86_400_000).toISOString()
  const { body } = await call(LaunchCampaign, { as: owner, params: campaign, body: { start_date } })
  expect(body).toMatchObject({ status: 'scheduled', start_date })
})

test.each(['pause', 'resume'] as const)(
  '409 for %s of a draft, and the draft is left as it was',
  async (verb) => {
    const owner = await aUser()
    const draft = await aCampaign(owner)
    const contract = verb === 'pause' ? PauseCampaign : ResumeCampaign
    const before = await db.campaign.findUnique({ where: { campaign_id: draft.campaign_id } })
    expect((await call(contract, { as: owner, params: draft })).status).toBe(409)
    expect(await db.campaign.findUnique({ where: { campaign_id: draft.campaign_id } })).toEqual(before)
  },
)

test('of two launches at once one gets 409', async () => {
  const owner = await aUser()
  await aMailbox(owner)
  const campaign = await aCampaign(owner, { steps_config: [step] })
  const both = await Promise.all([1, 2].map(() => call(LaunchCampaign, { as: owner, params: campaign })))
  expect(both.map((each) => each.status).sort()).toEqual([202, 409])
})

test('a running campaign is not edited, save for its dismissed banner, and not deleted', async () => {
  const owner = await aUser()
  const campaign = await aCampaign(owner)
  await db.campaign.update({ where: { campaign_id: campaign.campaign_id }, data: { status: 'active' } })
  const as = { as: owner, params: campaign }
  expect((await call(UpdateCampaign, { ...as, body: { daily_limit: 10 } })).status).toBe(409)
  const dismissed = await call(UpdateCampaign, {
    ...as,
    body: { playground_discovery_dismissed_at: '2030-01-01T00:00:00Z' },
  })
  expect(dismissed.body.playground_discovery_dismissed_at).toBe('2030-01-01T00:00:00.000Z')
  expect((await call(DeleteCampaign, as)).status).toBe(409)
})

test('a draft is edited and deleted', async () => {
  const owner = await aUser()
  const template = await aTemplate(owner)
  const campaign = await aCampaign(owner)
  const as = { as: owner, params: campaign }
  const variants = [{ label: 'A', weight: 1, type: 'TEMPLATE', template_id: template.template_id }]
  const edited = await call(UpdateCampaign, {
    ...as,
    body: { steps_config: [{ variants }], alias_ids: null },
  })
  expect(edited.body.steps_config[0]?.variants[0]).toMatchObject({
    template_id: template.template_id,
    label: 'A',
  })
  expect((await call(DeleteCampaign, as)).status).toBe(204)
  expect((await call(ReadCampaign, as)).status).toBe(404)
})

test('a draft goes on naming a mailbox that was deleted, and names no other that does not exist', async () => {
  const owner = await aUser()
  const { mailbox_id } = await aMailbox(owner)
  const campaign = await aCampaign(owner, { alias_ids: [mailbox_id] })
  await db.mailbox.delete({ where: { mailbox_id } })
  const as = { as: owner, params: campaign }
  const other = '01900000-0000-7000-8000-000000000000'
  const wrong = await call(UpdateCampaign, { ...as, body: { alias_ids: [mailbox_id, other] } })
  expect(wrong.status).toBe(422)
  const body = { daily_limit: 7, alias_ids: [mailbox_id] }
  expect((await call(UpdateCampaign, { ...as, body })).body).toMatchObject(body)
})

test('a list and a campaign say whose it is; the list is narrowed to one member, in any order', async () => {
  const owner = await aUser()
  const ana = await aMember(owner, 'member')
  const { campaign_id: theirs } = await aCampaign(owner, { name: 'B' })
  const { campaign_id: hers } = await aCampaign(ana, { name: 'A' })
  const listed = async (as: { user_id: string }, query: Record<string, string> = {}) => {
    const { campaigns, total } = (await call(ListCampaigns, { as, query })).body
    return [campaigns.map(({ campaign_id, owner_name }) => [campaign_id, owner_name]), total]
  }
  const [one, two] = [
    [theirs, owner.name],
    [hers, ana.name],
  ]
  expect(await listed(owner)).toEqual([[two, one], 2])
  expect(await listed(owner, { sort: '-name', owner: '' })).toEqual([[one, two], 2])
  expect(await listed(owner, { owner: 'me' })).toEqual([[one], 1])
  expect(await listed(ana, { owner: 'me', sort: 'name' })).toEqual([[two], 1])
  expect(await listed(owner, { owner: ana.user_id, status: 'draft' })).toEqual([[two], 1])
  expect(await listed(owner, { owner: (await aUser()).user_id })).toEqual([[], 0])
  expect((await call(ListCampaigns, { as: owner, query: { owner: 'ana' } })).status).toBe(422)
  const read = await call(ReadCampaign, { as: owner, params: { campaign_id: hers } })
  expect(read.body).toMatchObject({ user_id: ana.user_id, owner_name: ana.name })
  expect(await listOwners(owner.workspace_id)).toEqual(
    [owner, ana].map(({ user_id, name }) => ({ user_id, name })).sort((a, b) => (a.name < b.name ? -1 : 1)),
  )
  await call(RemoveMember, { as: owner, params: { ...owner, user_id: ana.user_id } })
  expect(await listed(owner)).toEqual([[[hers, owner.name], one], 2])
})

test('the total of the list follows creations at once, deletions and other owners', async () => {
  const [owner, other] = [await aUser(), await aUser()]
  const { dataset_id } = await aDataset(owner)
  const total = async (as: { workspace_id: string; user_id: string }) =>
    (await call(ListCampaigns, { as })).body.total
  const made = await Promise.all(Array.from({ length: 5 }, () => aCampaign(owner, { dataset_id })))
  await aCampaign(other)
  expect([await total(owner), await total(other)]).toEqual([5, 1])
  await call(DeleteCampaign, { as: owner, params: made[0] ?? { campaign_id: '' } })
  expect([await total(owner), await total(other)]).toEqual([4, 1])
  await db.campaign.deleteMany({ where: { workspace_id: { in: [owner.workspace_id, other.workspace_id] } } })
  expect([await total(owner), await total(other)]).toEqual([0, 0])
})

test('an owner can be deleted together with the campaigns that are counted on that row', async () => {
  const owner = await aUser()
  await aCampaign(owner)
  await db.$transaction([
    db.campaign.deleteMany({ where: { workspace_id: owner.workspace_id } }),
    db.workspace.delete({ where: { workspace_id: owner.workspace_id } }),
  ])
  expect(await db.campaign.count({ where: { workspace_id: owner.workspace_id } })).toBe(0)
})
