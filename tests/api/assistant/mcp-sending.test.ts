import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { StepsConfig } from '#lib/contracts/campaigns/steps'
import { db } from '#lib/db/client'
import { operations } from '#lib/operations/all'
import { updateCampaign } from '#lib/services/changes/update'
import { launchCampaign } from '#lib/services/launch/lifecycle'
import { createSenderProfile } from '#lib/services/messages/sender-profiles'
import { updateTemplate } from '#lib/services/messages/templates'
import { mcpClient } from '#tests/support/mcp'
import { aCampaign, aDataset, aMailbox, aTemplate, aUser } from '#tests/support/scenes/factories'
import { FIRST } from '#tests/support/scenes/launched'

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => vi.useRealTimers())
const elapse = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000)

/** A draft campaign that is ready for launch. */
async function scene() {
  const owner = await aUser()
  await aMailbox(owner)
  const { campaign_id } = await aCampaign(owner, {
    dataset_id: (await aDataset(owner, 3)).dataset_id,
    steps_config: [FIRST],
  })
  const statusNow = async () => (await db.campaign.findUniqueOrThrow({ where: { campaign_id } })).status
  return { owner, campaign_id, statusNow, ...(await mcpClient(owner)) }
}

test('a launch shows first what it would do, and does it when confirmed', async () => {
  const { call, campaign_id, statusNow } = await scene()
  const first = await call('launchCampaign', { campaign_id })
  expect(first.isError).toBe(false)
  expect(first.said).toMatchObject({
    status: 'confirmation_required',
    arguments: { campaign_id },
    preview: { readLaunchChecks: { blocks: [] }, forecastCampaign: { total_actions: 3 } },
  })
  expect(await statusNow()).toBe('draft')

  const { confirmation_token } = first.said
  const second = await call('launchCampaign', { campaign_id, confirmation_token })
  expect([second.isError, second.said.status]).toEqual([false, 'launching'])
  expect(await statusNow()).toBe('launching')
})

test('a token works once, for these arguments, this tool and this user, for ten minutes', async () => {
  const { call, campaign_id, owner, statusNow } = await scene()
  const other = await aCampaign(owner, { steps_config: [FIRST] })
  const stranger = await mcpClient(await aUser())
  const tokenNow = async () => (await call('launchCampaign', { campaign_id })).said.confirmation_token
  const token = await tokenNow()
  const wrong = [
    await call('launchCampaign', { campaign_id: other.campaign_id, confirmation_token: token }),
    await call('launchCampaign', {
      campaign_id,
      start_date: '2099-01-01T00:00:00Z',
      confirmation_token: token,
    }),
    await call('resumeCampaign', { campaign_id, confirmation_token: token }),
    await stranger.call('launchCampaign', { campaign_id, confirmation_token: token }),
    await call('launchCampaign', { campaign_id, confirmation_token: `${token}A` }),
    await call('launchCampaign', { campaign_id, confirmation_token: 'made-up' }),
    await call('launchCampaign', { campaign_id, confirmation_token: '' }),
  ]
  expect(wrong.map(({ said }) => said.code)).toEqual(wrong.map(() => 'grant_invalid'))
  expect(await statusNow()).toBe('draft')

  elapse(11)
  expect((await call('launchCampaign', { campaign_id, confirmation_token: token })).said.code).toBe(
    'grant_invalid',
  )
  expect(await statusNow()).toBe('draft')

  const fresh = await tokenNow()
  const both = await Promise.all(
    [1, 2].map(() => call('launchCampaign', { campaign_id, confirmation_token: fresh })),
  )
  expect(both.map(({ said }) => said.code ?? 'done').toSorted()).toEqual(['done', 'grant_invalid'])
  expect(await statusNow()).toBe('launching')
})

test('an upload address confirms nothing', async () => {
  const { call, campaign_id } = await scene()
  const { said } = await call('importSpreadsheet')
  const confirmation_token = said.upload_url.split('/').at(-1)
  expect((await call('launchCampaign', { campaign_id, confirmation_token })).said.code).toBe('grant_invalid')
})

test('a preview shows what would refuse the launch, and a campaign that is not there has none', async () => {
  const { call, owner } = await scene()
  const blocked = await aCampaign(owner)
  const { said } = await call('launchCampaign', { campaign_id: blocked.campaign_id })
  expect(said.preview.readLaunchChecks.blocks.length).toBeGreaterThan(0)
  const { confirmation_token } = said
  const refused = await call('launchCampaign', { campaign_id: blocked.campaign_id, confirmation_token })
  expect([refused.isError, refused.said.status]).toEqual([true, 409])
  const nobody = await call('launchCampaign', { campaign_id: crypto.randomUUID() })
  expect([nobody.isError, nobody.said.code]).toEqual([true, 'campaign_not_found'])
})

test('a test message is shown whole before it leaves', async () => {
  const { call, campaign_id } = await scene()
  const { said } = await call('sendTest', { campaign_id, step: 1, to: 'me@example.com' })
  expect(said.preview.previewStep).toMatchObject({
    subject: 'Hello Lead0',
    text: expect.stringContaining('Company 0'),
  })
})

test('what shows the effect of a tool is a read that exists', () => {
  const named = operations.flatMap(({ contract }) => Object.keys(contract.previews ?? {}))
  expect(named.length).toBeGreaterThan(3)
  for (const read of named)
    expect(operations.find(({ contract }) => contract.id === read)?.contract.scope).toBe('read')
})

/** Changes between the preview of a launch and its confirmation, after each of which the confirmation must not hold. */
const MEANWHILE: [
  string,
  (owner: { workspace_id: string; user_id: string }, campaign_id: string) => Promise<unknown>,
][] = [
  [
    'the text of a step',
    (owner, campaign_id) =>
      updateCampaign(
        owner.workspace_id,
        campaign_id,
        { steps_config: StepsConfig.parse([{ ...FIRST, message_template: 'Something else.' }]) },
        new Date(),
      ),
  ],
  [
    'the schedule',
    (owner, campaign_id) =>
      updateCampaign(owner.workspace_id, campaign_id, { send_days: ['sun'] }, new Date()),
  ],
  [
    'a limit',
    (owner, campaign_id) =>
      updateCampaign(owner.workspace_id, campaign_id, { daily_limit: 9_999 }, new Date()),
  ],
  ['a sender more', (owner) => aMailbox(owner)],
  [
    'a sender’s name',
    (owner) =>
      db.mailbox.updateMany({ where: { workspace_id: owner.workspace_id }, data: { name: 'Another' } }),
  ],
  [
    'a cell of the list',
    (owner) =>
      db.datasetRow.updateMany({
        where: { workspace_id: owner.workspace_id, lead_index: 1 },
        data: { data: { first_name: 'Eve', company: 'Other' } },
      }),
  ],
  [
    'a sender profile',
    (owner) =>
      createSenderProfile(owner, {
        profile_name: 'P',
        sender_data: { data: { city: 'Oslo' } },
        description: null,
        is_default: true,
      }),
  ],
]

test.each(MEANWHILE)('a launch is asked for anew once %s is another', async (_, change) => {
  const { call, campaign_id, owner, statusNow } = await scene()
  const first = await call('launchCampaign', { campaign_id })
  await change(owner, campaign_id)
  const { confirmation_token } = first.said
  const second = await call('launchCampaign', { campaign_id, confirmation_token })
  expect(second.said).toMatchObject({
    status: 'confirmation_required',
    message: expect.stringContaining('changed since'),
    preview: { readLaunchChecks: { blocks: [] } },
  })
  expect(await statusNow()).toBe('draft')
  const third = await call('launchCampaign', {
    campaign_id,
    confirmation_token: second.said.confirmation_token,
  })
  expect(third.said.status).toBe('launching')
})

test('a launch is asked for anew once a template of it is another', async () => {
  const owner = await aUser()
  await aMailbox(owner)
  const { template_id } = await aTemplate(owner)
  const { campaign_id } = await aCampaign(owner, {
    steps_config: [{ variants: [{ label: 'A', template_id }] }],
  })
  const { call } = await mcpClient(owner)
  const { said } = await call('launchCampaign', { campaign_id })
  await updateTemplate(owner.workspace_id, template_id, { content: { body: 'Buy now.' } })
  const { confirmation_token } = said
  const again = await call('launchCampaign', { campaign_id, confirmation_token })
  expect(again.said.status).toBe('confirmation_required')
})

/** A conversation of an owner, with one message. */
async function aConversation() {
  const owner = await aUser()
  const mailbox = await aMailbox(owner)
  const thread = await db.thread.create({
    data: {
      workspace_id: owner.workspace_id,
      mailbox_id: mailbox.mailbox_id,
      counterpart_address: 'ann@example.com',
      subject: 'Hello',
      last_message_at: new Date(),
      last_direction: 'in',
      last_kind: 'reply',
      preview: 'Yes',
    },
  })
  const { inbox_message_id } = await db.inboxMessage.create({
    data: {
      workspace_id: owner.workspace_id,
      thread_id: thread.thread_id,
      direction: 'in',
      kind: 'reply',
      from_address: 'ann@example.com',
      subject: 'Hello',
      text: 'Yes',
      at: new Date(),
    },
  })
  return { owner, thread, inbox_message_id }
}

test('copies and what is forwarded are told by name, and go to nobody before that is confirmed', async () => {
  const { owner, thread, inbox_message_id } = await aConversation()
  const { call } = await mcpClient(owner)
  const { thread_id } = thread
  const answer = await call('replyInInbox', {
    thread_id,
    text: 'Fine.',
    cc: ['bob@own.test'],
    bcc: ['crm@own.test'],
  })
  expect(answer.said.status).toBe('confirmation_required')
  expect(answer.said.arguments).toMatchObject({ cc: ['bob@own.test'], bcc: ['crm@own.test'] })
  const forward = await call('forwardInInbox', { thread_id, inbox_message_id, to: 'eve@own.test' })
  expect(forward.said.status).toBe('confirmation_required')
  expect(forward.said.arguments).toMatchObject({ to: 'eve@own.test' })
  expect(await db.inboxMessage.count({ where: { thread_id } })).toBe(1)
})

test('an answer is asked for anew once they wrote again', async () => {
  const { owner, thread } = await aConversation()
  const { call } = await mcpClient(owner)
  const asked = { thread_id: thread.thread_id, text: 'Fine.' }
  const { said } = await call('replyInInbox', asked)
  await db.thread.update({ where: { thread_id: thread.thread_id }, data: { message_count: 2 } })
  const again = await call('replyInInbox', { ...asked, confirmation_token: said.confirmation_token })
  expect(again.said.status).toBe('confirmation_required')
})

test('a change of a launched campaign is shown as a diff and confirmed; a draft is changed at once', async () => {
  const { call, campaign_id, owner } = await scene()
  const free = await call('updateCampaign', { campaign_id, daily_limit: 40 })
  expect(free.said).toMatchObject({ daily_limit: 40, edit_id: null })
  await launchCampaign(owner.workspace_id, campaign_id, new Date('2099-01-01'), new Date())
  const first = await call('updateCampaign', { campaign_id, daily_limit: 30 })
  expect(first.said).toMatchObject({
    status: 'confirmation_required',
    preview: { dry_run: { changes: [{ what: 'Daily limit', before: '40', after: '30', leads: 3 }] } },
  })
  const dry = await call('updateCampaign', { campaign_id, daily_limit: 30, dry_run: 'true' })
  expect(dry.said.changes).toHaveLength(1)
  const { confirmation_token } = first.said
  const done = await call('updateCampaign', { campaign_id, daily_limit: 30, confirmation_token })
  expect(done.said).toMatchObject({ daily_limit: 30, edit_id: expect.any(String) })
})

test('every tool that sends and is told an id has its content under the confirmation', () => {
  const sealed = ['campaign_id', 'run_id', 'generation_id', 'post_id', 'thread_id']
  const sending = operations.filter(({ contract }) => contract.scope === 'send')
  const unsealed = sending.filter(
    ({ contract }) => !sealed.some((name) => contract.path.includes(`{${name}}`)),
  )
  // Their arguments state everything that they change.
  expect(unsealed.map(({ contract }) => contract.id).toSorted()).toEqual([
    'createForm',
    'createPlacementTests',
    'createSocialPost',
    'replaceIntentRules',
    'resumeMailboxProvider',
    'sendSocialMessage',
    'updateForm',
  ])
})
