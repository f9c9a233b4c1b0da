import { expect, test } from 'vitest'
import { ChooseSandboxTier, ReadSubscription } from '#lib/contracts/billing/billing'
import { ForecastCampaign, ForecastEdit } from '#lib/contracts/campaigns/forecasts'
import { LaunchCampaign } from '#lib/contracts/campaigns/lifecycle'
import { PreviewDraftStep, PreviewStep } from '#lib/contracts/campaigns/step-previews'
import { ListDatasets } from '#lib/contracts/datasets/datasets'
import { CheckSpreadsheet } from '#lib/contracts/datasets/uploads'
import { SuppressCampaignLeads } from '#lib/contracts/leads/lead-stops'
import { AddSuppressions, DeleteSuppressions, ListSuppressions } from '#lib/contracts/leads/suppressions'
import { RenderTemplate } from '#lib/contracts/messages/templates'
import { CreateSocialPost } from '#lib/contracts/posts/social-posts'
import { AddSamples, RemoveSamples } from '#lib/contracts/sandbox/samples'
import { ActInSandboxNetwork } from '#lib/contracts/sandbox/sandbox'
import { ConnectSandboxMailbox } from '#lib/contracts/senders/mailboxes'
import { CreateApiKey } from '#lib/contracts/workspaces/api-keys'
import { ListAuditEvents } from '#lib/contracts/workspaces/audit'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import {
  aCampaign,
  aDataset,
  aMailbox,
  anEnrolledLead,
  aTemplate,
  aUser,
} from '#tests/support/scenes/factories'

// Set before any module reads the environment.
process.env.SANDBOX_SMTP_PORT = '1025'

const steps_config = [{ subject: 'Hello {{ first_name }}', message_template: 'Saved, {{ first_name }}.' }]

test('a campaign is launched at a time on the clock of its own zone', async () => {
  const owner = await aUser()
  await aMailbox(owner)
  const { campaign_id } = await aCampaign(owner, { timezone: 'America/New_York', steps_config })
  const params = { campaign_id }
  for (const start_local of ['', 'soon', '2001-01-01T09:00', '2099-02-30T09:00', '9999-12-31T23:59']) {
    const { status, error } = await call(LaunchCampaign, { as: owner, params, body: { start_local } })
    expect([status, error.details[0].loc]).toEqual([422, ['body', 'start_local']])
  }
  const year = new Date().getUTCFullYear() + 1
  const body = { start_local: `${year}-01-15T09:00` }
  const { status, body: launched } = await call(LaunchCampaign, { as: owner, params, body })
  expect([status, launched.status]).toEqual([202, 'scheduled'])
  expect(launched.start_date).toBe(`${year}-01-15T14:00:00.000Z`)
})

test('a key ends after so many days, or with a day in the owner’s zone', async () => {
  const owner = await aUser({ tier: 'scale' })
  const made = (expires: string) =>
    call(CreateApiKey, { as: owner, body: { name: 'K', scopes: ['read'], expires } })
  expect((await made('never')).body.expires_at).toBeNull()
  const days = Date.parse((await made('30')).body.expires_at ?? '') - Date.now()
  expect(Math.round(days / 86_400_000)).toBe(30)
  const refused = await made('2001-01-01')
  expect([refused.status, refused.error.details[0].loc]).toEqual([422, ['body', 'expires']])
})

test('a post is scheduled on the clock of the account', async () => {
  const owner = await aUser()
  await db.workspace.update({ where: { workspace_id: owner.workspace_id }, data: { timezone: 'Asia/Tokyo' } })
  const day = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10)
  const form = (scheduled_local: string) => {
    const body = new FormData()
    for (const [name, value] of Object.entries({ text: 'Hello', draft: 'true', scheduled_local }))
      body.set(name, value)
    return body
  }
  const { status, body } = await call(CreateSocialPost, { as: owner, body: form(`${day}T09:00`) })
  expect([status, body.scheduled_at]).toEqual([201, `${day}T00:00:00.000Z`])
  const refused = await call(CreateSocialPost, { as: owner, body: form('tomorrow') })
  expect([refused.status, refused.error.details[0].loc]).toEqual([422, ['body', 'scheduled_local']])
})

test('a file is checked row by row before it is imported, and nothing is kept', async () => {
  const owner = await aUser()
  await call(AddSuppressions, { as: owner, body: { value: 'eve@example.com' } })
  const text = 'Email\nada@example.com\nbroken\neve@example.com\nada@example.com\n'
  const file = new File([text], 'leads.csv', { type: 'text/csv' })
  const { status, body } = await call(CheckSpreadsheet, { as: owner, body: { file } })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    kept: 2,
    suppressed: { count: 1, samples: ['eve@example.com'] },
    known: { count: 0 },
  })
  expect(body.refused.map(({ code, count }) => [code, count]).toSorted()).toEqual([
    ['duplicate_email', 1],
    ['invalid_email', 1],
  ])
  expect(body.rejects.map(({ value, email }) => [value, email])).toEqual([
    ['broken', null],
    ['ada@example.com', null],
  ])
  expect((await call(ListDatasets, { as: owner })).body.total_count).toBe(0)
})

test('of a refused row the check names the address, where another cell is at fault', async () => {
  const owner = await aUser()
  const text = `Email,Notes\nada@example.com,${'x'.repeat(40_000)}\n`
  const file = new File([text], 'leads.csv', { type: 'text/csv' })
  const { body } = await call(CheckSpreadsheet, { as: owner, body: { file } })
  const reject = { code: 'too_long', cell: 'B2', email: 'ada@example.com' }
  expect(body).toMatchObject({ rejects: [reject], refused: [{ samples: [reject] }] })
})

test('a text that is being written reads as the lead at its place would read it', async () => {
  const owner = await aUser()
  await aDataset(owner, 2)
  const preview = (body: object) => call(RenderTemplate, { as: owner, body })
  expect(
    (await preview({ subject: 'Hi', body: 'Hello {{ first_name }}', lead_index: 1 })).body,
  ).toMatchObject({
    subject: 'Hi',
    text: expect.stringContaining('Lead1'),
    problems: [],
  })
  const broken = await preview({ body: 'Hello {{ shoe_size }}' })
  expect(broken.body.problems).not.toEqual([])
})

test('a saved template is rendered for the cells that are given, and another’s is not there', async () => {
  const owner = await aUser()
  const content = { subject: 'For {{ first_name }}', body: 'Size {{ shoe_size }}' }
  const { template_id } = await aTemplate(owner, content)
  const data = { first_name: 'Zoë', shoe_size: 38, email: 'zoe@example.com' }
  const render = (body: object, as = owner) => call(RenderTemplate, { as, body })
  const whole = { subject: 'For Zoë', text: 'Size 38', to: 'zoe@example.com', problems: [] }
  expect((await render({ template_id, data })).body).toMatchObject(whole)
  const other = await render({ template_id, subject: 'Hi', data })
  expect(other.body).toMatchObject({ ...whole, subject: 'Hi' })
  expect((await render({ template_id, data: {} })).body.problems).not.toEqual([])
  const foreign = await render({ template_id, data }, await aUser())
  expect([foreign.status, foreign.error.detail]).toEqual([404, 'template_not_found'])
})

test('steps that are not saved are previewed as they would be once saved', async () => {
  const owner = await aUser()
  await aMailbox(owner)
  const { campaign_id } = await aCampaign(owner, { steps_config })
  const params = { campaign_id }
  const which = { step: 1, lead_index: 0 }
  const draft = [{ subject: 'Other', message_template: 'Being written, {{ first_name }}.' }]
  const { body } = await call(PreviewDraftStep, {
    as: owner,
    params,
    body: { ...which, steps_config: draft },
  })
  expect(body).toMatchObject({ problem: null, social: null, message: { subject: 'Other' } })
  expect(body.message?.text).toContain('Being written, Lead0.')
  const impossible = [{ subject: 'Hi', message_template: '{{ nothing }}' }]
  expect(
    (await call(PreviewDraftStep, { as: owner, params, body: { ...which, steps_config: impossible } })).body,
  ).toMatchObject({ message: null, problem: expect.stringContaining('nothing') })
  const saved = await call(PreviewStep, { as: owner, params, body: which })
  expect(saved.body.text).toContain('Saved, Lead0.')
})

test('another schedule is forecast for a campaign, and what is left out stays', async () => {
  const owner = await aUser()
  await aMailbox(owner)
  const { dataset_id } = await aDataset(owner, 30)
  const { campaign_id } = await aCampaign(owner, { dataset_id, steps_config, daily_limit: 30 })
  const params = { campaign_id }
  const query = { limit: 0 }
  const kept = (await call(ForecastCampaign, { as: owner, params, query })).body
  const same = (await call(ForecastEdit, { as: owner, params, query, body: {} })).body
  expect(same.days).toEqual(kept.days)
  const slower = (await call(ForecastEdit, { as: owner, params, query, body: { daily_limit: 3 } })).body
  expect(slower.total_actions).toBe(kept.total_actions)
  expect(slower.days.length).toBeGreaterThan(kept.days.length)
})

test('leads of a campaign are suppressed together', async () => {
  const owner = await aUser()
  const first = await anEnrolledLead(owner, { email: 'ada@example.com' })
  const { campaign_id } = first
  const second = await anEnrolledLead(owner, { campaign_id, lead_index: 1, email: 'bob@example.com' })
  const other = await anEnrolledLead(owner, { email: 'eve@example.com' })
  const campaign_lead_ids = [first, second, other].map((lead) => lead.campaign_lead_id)
  const { status, body } = await call(SuppressCampaignLeads, {
    as: owner,
    params: { campaign_id },
    body: { campaign_lead_ids },
  })
  // The third lead belongs to another campaign.
  expect([status, body]).toEqual([200, { added: 2, already_listed: 0, leads_ended: 2 }])
})

test('suppressions are removed together, with what it takes to list them again', async () => {
  const [owner, stranger] = [await aUser(), await aUser()]
  const values = ['ada@example.com', 'bob@example.com']
  const { items } = (await call(AddSuppressions, { as: owner, body: { values, reason: 'asked' } })).body
  const body = { suppression_ids: items.map(({ suppression_id }) => suppression_id) }
  expect((await call(DeleteSuppressions, { as: stranger, body })).body.removed).toEqual([])
  const { removed } = (await call(DeleteSuppressions, { as: owner, body })).body
  expect(removed.map(({ value, reason }) => [value, reason]).toSorted()).toEqual([
    ['ada@example.com', 'asked'],
    ['bob@example.com', 'asked'],
  ])
  expect((await call(ListSuppressions, { as: owner })).body.total).toBe(0)
})

test('samples are added and removed, and both are in the log', async () => {
  const owner = await aUser()
  const { status, body } = await call(AddSamples, { as: owner, body: { kind: 'template' } })
  expect([status, body.items.map(({ kind }) => kind)]).toEqual([201, ['template', 'template']])
  expect((await call(RemoveSamples, { as: owner })).body).toMatchObject({
    removed: expect.objectContaining({ length: 2 }),
    kept: [],
  })
  const { items } = (await call(ListAuditEvents, { as: owner })).body
  expect(items.map(({ operation }) => operation)).toEqual(['removeSamples', 'addSamples'])
})

test('the sandbox mailbox is connected once', async () => {
  const owner = await aUser()
  const { status, body } = await call(ConnectSandboxMailbox, { as: owner })
  expect([status, body.address]).toEqual([201, owner.email])
  expect((await call(ConnectSandboxMailbox, { as: owner })).status).toBe(409)
})

test('the tier of the sandbox is chosen, and nothing is paid', async () => {
  const owner = await aUser()
  const { status, body } = await call(ChooseSandboxTier, { as: owner, body: { tier: 'growth' } })
  expect([status, body.tier]).toEqual([200, 'growth'])
  expect((await call(ReadSubscription, { as: owner })).body.tier).toBe('growth')
})

test('the network of the sandbox does to an account what it is told, and to nobody else’s', async () => {
  const [owner, stranger] = [await aUser(), await aUser()]
  const provider_account_id = `sandbox-account-${crypto.randomUUID()}`
  const person = { network: 'linkedin', name: 'Ada', handle: 'ada', kind: 'free', created_at: new Date() }
  await db.sandboxAccount.create({
    data: { provider_account_id, workspace_id: owner.workspace_id, ...person },
  })
  const body = { does: 'limit', account: provider_account_id }
  expect((await call(ActInSandboxNetwork, { as: stranger, body })).status).toBe(404)
  expect((await call(ActInSandboxNetwork, { as: owner, body })).status).toBe(204)
  const where = { provider_account_id }
  expect(await db.sandboxAccount.findUnique({ where })).toMatchObject({ refuse_next: 5 })
  const accept = { does: 'accept', account: provider_account_id, person: 'nobody' }
  expect((await call(ActInSandboxNetwork, { as: owner, body: accept })).status).toBe(409)
})
