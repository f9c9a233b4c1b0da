import { afterEach, expect, test } from 'vitest'
import { PreviewStep, SendTest } from '#lib/contracts/campaigns/step-previews'
import { db } from '#lib/db/client'
import { activateCampaign, enrolLeads } from '#lib/services/launch/enrolment'
import { launchCampaign } from '#lib/services/launch/lifecycle'
import { dispatchDue } from '#lib/services/sending/run'
import { previewDraft, previewStep } from '#lib/services/step-previews/step-previews'
import { call } from '#tests/support/call'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { memorySocial } from '#tests/support/doubles/memory-social'
import { aCampaign, aDataset, aUser } from '#tests/support/scenes/factories'
import { MONDAY, minutes } from '#tests/support/scenes/launched'
import { asSocial } from '#tests/support/scenes/previews'
import { anAccount } from '#tests/support/scenes/social'

afterEach(async () => {
  await db.campaign.deleteMany()
})

const INVITE = {
  channel: 'social',
  action_type: 'connection_request',
  message_template: 'Hello {{ first_name }}',
}
const MESSAGE = { channel: 'social', action_type: 'message', message_template: 'A word, {{ first_name }}.' }
const ROWS = [
  { email: 'ada@example.com', first_name: 'Ada', linkedin_url: 'https://www.linkedin.com/in/ada' },
  { email: 'bob@example.com', first_name: 'Bob', linkedin_url: null },
]

async function drafted(steps_config: object[], account: object | null = { kind: 'premium' }) {
  const owner = await aUser()
  const made = account && (await anAccount(owner))
  if (made) await db.connectedAccount.update({ where: { account_id: made.account_id }, data: account })
  const { dataset_id } = await aDataset(owner, ROWS)
  const { campaign_id } = await aCampaign(owner, {
    dataset_id,
    steps_config,
    sending_window_start: '00:00',
    sending_window_end: '00:00',
  })
  return { owner, campaign_id, account_id: made?.account_id ?? null }
}

test('a social step is previewed as the words that reach the network, with account, cap and condition', async () => {
  const { owner, campaign_id, account_id } = await drafted([
    INVITE,
    { ...MESSAGE, delay_days: 1, condition: 'connected' },
  ])
  const { status, body } = await call(PreviewStep, {
    as: owner,
    params: { campaign_id },
    body: { step: 1, lead_index: 0 },
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    channel: 'social',
    action_type: 'connection_request',
    does: 'invites them to connect, with a note',
    subject: null,
    text: 'Hello Ada',
    characters: { used: 9, most: 300 },
    to: 'https://www.linkedin.com/in/ada',
    relation: null,
    account: { account_id, kind: 'premium' },
    cap: { day: 80, week: 200, used_today: 0, left_today: 80 },
    condition: { name: 'always', holds: true },
    problem: null,
    variant: null,
  })
  const second = asSocial(
    await previewStep(owner.workspace_id, campaign_id, { step: 2, lead_index: 0 }, MONDAY),
  )
  expect(second.condition).toEqual({ name: 'connected', holds: null })

  await launchCampaign(owner.workspace_id, campaign_id, null, MONDAY)
  await enrolLeads(campaign_id, MONDAY)
  await activateCampaign(campaign_id, MONDAY)
  const social = memorySocial()
  await dispatchDue({ mail: memoryMail().provider, social: social.drivers, clock: () => MONDAY })
  expect(social.done.map(({ action }) => action)).toEqual([
    { action_type: 'connection_request', provider_id: 'id-ada', note: asSocial(body).text },
  ])
})

test('what the account remembers of the person is said: the condition, and why the step would be passed over', async () => {
  const { owner, campaign_id, account_id } = await drafted([{ ...MESSAGE, condition: 'connected' }])
  const person = {
    account_id: account_id ?? '',
    provider_id: 'id-ada',
    workspace_id: owner.workspace_id,
    name: 'Ada',
  }
  await db.socialPerson.create({ data: { ...person, relation: 'invited', checked_at: MONDAY } })
  await db.socialIdentifier.create({
    data: {
      account_id: account_id ?? '',
      identifier: 'linkedin.com/in/ada',
      workspace_id: owner.workspace_id,
      provider_id: 'id-ada',
      checked_at: MONDAY,
    },
  })
  const preview = async () =>
    asSocial(await previewStep(owner.workspace_id, campaign_id, { step: 1, lead_index: 0 }, MONDAY))
  expect(await preview()).toMatchObject({
    relation: 'invited',
    condition: { name: 'connected', holds: false },
    problem: expect.stringContaining('not connected'),
  })
  await db.socialPerson.updateMany({ where: person, data: { relation: 'connected' } })
  expect(await preview()).toMatchObject({
    relation: 'connected',
    condition: { holds: true },
    problem: null,
  })
})

test('without an account it is shown as from the owner, and a text too long for the account is said', async () => {
  const long = { ...INVITE, message_template: `${'x'.repeat(250)} {{ first_name }}` }
  const none = await drafted([INVITE], null)
  const alone = await previewStep(
    none.owner.workspace_id,
    none.campaign_id,
    { step: 1, lead_index: 0 },
    MONDAY,
  )
  expect(alone).toMatchObject({ account: null, cap: null, text: 'Hello Ada', problem: null })
  const free = await drafted([long], { kind: 'free' })
  const preview = await previewStep(
    free.owner.workspace_id,
    free.campaign_id,
    { step: 1, lead_index: 0 },
    MONDAY,
  )
  expect(preview).toMatchObject({
    characters: { used: 254, most: 200 },
    problem: 'The note has 254 characters. This account can send at most 200.',
  })
})

test('an action that says nothing has no text, and the cap counts what the account has done', async () => {
  const { owner, campaign_id, account_id } = await drafted([
    { channel: 'social', action_type: 'visit_profile' },
  ])
  await db.senderDay.create({
    data: {
      sender_id: account_id ?? '',
      local_date: new Date('2026-03-02'),
      action_type: 'visit_profile',
      used: 3,
    },
  })
  const preview = await previewStep(owner.workspace_id, campaign_id, { step: 1, lead_index: 0 }, minutes(1))
  expect(preview).toMatchObject({
    does: 'visits their profile',
    text: null,
    characters: null,
    cap: { used_today: 3, left_today: 77, used_this_week: 3 },
  })
})

test('a row without a profile has no preview, and a social step cannot be tried on an address', async () => {
  const { owner, campaign_id } = await drafted([MESSAGE])
  const ask = (lead_index: number) =>
    call(PreviewStep, { as: owner, params: { campaign_id }, body: { step: 1, lead_index } })
  expect((await ask(1)).error).toMatchObject({
    detail: 'message_impossible',
    message: 'The row has no profile.',
  })
  const tried = await call(SendTest, {
    as: owner,
    params: { campaign_id },
    body: { step: 1, to: 'me@example.net' },
  })
  expect(tried.status).toBe(422)
})

test('a social step that is still being written previews as it would once saved', async () => {
  const { owner, campaign_id } = await drafted([MESSAGE])
  const { steps_config } = await db.campaign.findUniqueOrThrow({ where: { campaign_id } })
  const draft = (steps_config as Parameters<typeof previewDraft>[2]).map((step) => ({
    ...step,
    message_template: 'Being written, {{ first_name }}.',
  }))
  const which = { step: 1, lead_index: 0 }
  expect(await previewDraft(owner.workspace_id, campaign_id, draft, which, MONDAY)).toMatchObject({
    to: 'https://www.linkedin.com/in/ada',
    message: { subject: '', text: 'Being written, Ada.' },
    social: { action_type: 'message', characters: { used: 19 } },
    problem: null,
  })
})
