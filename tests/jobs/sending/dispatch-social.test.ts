import { afterEach, expect, test } from 'vitest'
import { UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { db } from '#lib/db/client'
import { updateCampaign } from '#lib/services/changes/update'
import { wholeForecast } from '#lib/services/forecast/forecasts'
import { pauseCampaign, resumeCampaign } from '#lib/services/launch/lifecycle'
import { dispatchDue } from '#lib/services/sending/run'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { memorySocial } from '#tests/support/doubles/memory-social'
import { actionsOf, campaignOf, FIRST, leadsOf, MONDAY, minutes } from '#tests/support/scenes/launched'
import {
  INVITE,
  launchedSocial as launched,
  MESSAGE,
  profile,
  VISIT,
} from '#tests/support/scenes/launched-social'

afterEach(async () => {
  await db.campaign.deleteMany()
})

const DAY = 24 * 60
const dispatch = async (at: Date, social = memorySocial(), mail = memoryMail()) =>
  dispatchDue({ mail: mail.provider, social: social.drivers, clock: () => at })
const types = (social: ReturnType<typeof memorySocial>) => social.done.map(({ action }) => action.action_type)

test('a mixed sequence: visit, mail, invitation, and a message once they have accepted', async () => {
  const social = memorySocial()
  const mail = memoryMail()
  const { campaign_id, account_id, mailbox } = await launched({
    steps_config: [
      VISIT,
      FIRST,
      { ...INVITE, delay_days: 1 },
      { ...MESSAGE, delay_days: 1, condition: 'connected' },
    ],
  })
  await dispatch(MONDAY, social, mail)
  await dispatch(minutes(1), social, mail)
  expect(mail.outbox).toHaveLength(1)
  await dispatch(minutes(DAY + 2), social, mail)
  expect(social.done.map(({ action }) => action)).toEqual([
    { action_type: 'visit_profile', provider_id: 'id-ada' },
    { action_type: 'connection_request', provider_id: 'id-ada', note: 'Hello ada' },
  ])
  const person = { account_id_provider_id: { account_id, provider_id: 'id-ada' } }
  expect(await db.socialPerson.findUniqueOrThrow({ where: person })).toMatchObject({
    relation: 'invited',
    invitation_id: 'inv-id-ada',
  })
  await db.socialPerson.update({ where: person, data: { relation: 'connected' } })
  await dispatch(minutes(2 * DAY + 3), social, mail)
  expect(social.done.at(-1)?.action).toEqual({
    action_type: 'message',
    provider_id: 'id-ada',
    text: 'A word, ada.',
    chat_id: null,
  })
  const ledger = await actionsOf(campaign_id)
  expect(
    ledger.map(({ status, mailbox_id, connected_account_id }) => [status, mailbox_id, connected_account_id]),
  ).toEqual([
    ['sent', null, account_id],
    ['sent', mailbox.mailbox_id, null],
    ['sent', null, account_id],
    ['sent', null, account_id],
  ])
  expect(ledger[3]).toMatchObject({
    chat_id: 'chat-id-ada',
    message_id: `message-${ledger[3]?.action_id}`,
    social_provider_id: 'id-ada',
    body: 'A word, ada.',
  })
  expect(await leadsOf(campaign_id)).toMatchObject([
    { status: 'completed', connected_account_id: account_id, social_provider_id: 'id-ada' },
  ])
  expect(social.asked).toHaveLength(1)
  expect((await campaignOf(campaign_id)).status).toBe('completed')
})

test('the ledger row stands, and the lead is known by its person, before the network is told anything', async () => {
  const seen: unknown[] = []
  const made: { id?: string } = {}
  const social = memorySocial(async () => {
    const [action] = await actionsOf(made.id ?? '')
    const [lead] = await leadsOf(made.id ?? '')
    seen.push([action?.status, lead?.social_provider_id])
    return null
  })
  made.id = (await launched({ steps_config: [VISIT] })).campaign_id
  await dispatch(MONDAY, social)
  expect(seen).toEqual([['sending', 'id-ada']])
})

test('whoever lacks a channel is enrolled for the other, and its steps are skipped with the reason', async () => {
  const social = memorySocial()
  const mail = memoryMail()
  const { campaign_id } = await launched({ steps_config: [VISIT, { ...FIRST, delay_days: 1 }] }, [
    { ...profile('bo'), email: null },
    { ...profile('cy'), linkedin_url: null },
    { ...profile('di'), linkedin_url: null, email: null },
    { ...profile('bo'), linkedin_url: 'linkedin.com/in/BO/' },
  ])
  await dispatch(MONDAY, social, mail)
  await dispatch(minutes(DAY + 1), social, mail)
  expect(types(social)).toEqual(['visit_profile'])
  expect(mail.outbox.map((message) => message.to.address.slice(0, 2))).toEqual(['cy'])
  const leads = await leadsOf(campaign_id)
  expect(leads.map(({ status, reason }) => [status, reason])).toEqual([
    ['completed', null],
    ['completed', null],
    ['skipped', 'no_address_or_profile'],
    ['skipped', 'duplicate_profile'],
  ])
  const skipped = (await actionsOf(campaign_id)).filter(({ status }) => status === 'skipped')
  expect(skipped.map(({ step, response }) => [step, response]).sort()).toEqual([
    [1, 'The row has no profile.'],
    [2, 'The lead has no address.'],
  ])
})

test('an edit that leaves only mail has it skipped for whoever lacks an address', async () => {
  const mail = memoryMail()
  const { campaign_id, owner } = await launched({ steps_config: [FIRST, { ...VISIT, delay_days: 1 }] }, [
    { ...profile('bo'), email: null },
    profile('cy'),
  ])
  await pauseCampaign(owner.workspace_id, campaign_id, MONDAY)
  const { steps_config } = UpdateCampaign.body.parse({ steps_config: [FIRST] })
  await updateCampaign(owner.workspace_id, campaign_id, { steps_config }, MONDAY)
  await resumeCampaign(owner.workspace_id, campaign_id, MONDAY)
  expect(await wholeForecast(owner.workspace_id, campaign_id, MONDAY)).toMatchObject({ total_actions: 1 })
  await dispatch(MONDAY, memorySocial(), mail)
  expect(mail.outbox).toHaveLength(1)
  const ledger = (await actionsOf(campaign_id)).map(({ status, response }) => [status, response])
  expect(ledger).toContainEqual(['skipped', 'The lead has no address.'])
  expect(await campaignOf(campaign_id)).toMatchObject({ status: 'completed', sent_count: 1 })
})

test('a profile that leads to nobody skips the social steps, and the mails go on', async () => {
  const social = memorySocial()
  const mail = memoryMail()
  const { campaign_id, account_id } = await launched(
    { steps_config: [VISIT, { ...INVITE, delay_days: 1 }, { ...FIRST, delay_days: 1 }] },
    [profile('nobody-here')],
  )
  for (const day of [0, 1, 2]) await dispatch(minutes(day * DAY + day), social, mail)
  expect(social.done).toEqual([])
  expect(mail.outbox).toHaveLength(1)
  expect((await actionsOf(campaign_id)).map(({ status }) => status)).toEqual(['skipped', 'skipped', 'sent'])
  const days = await db.senderDay.findMany({ where: { sender_id: account_id, used: { gt: 0 } } })
  expect(days).toEqual([])
})

test('caps per day and per week of an account hold, over campaigns and days', async () => {
  const social = memorySocial()
  const people = Array.from({ length: 9 }, (_, index) => profile(`p${index}`))
  await launched({ steps_config: [VISIT] }, people, { limits: { visit_profile: { day: 3, week: 7 } } })
  const counts: number[] = []
  for (let day = 0; day < 9; day++) {
    const before = social.done.length
    await dispatch(minutes(day * DAY), social)
    counts.push(social.done.length - before)
  }
  expect(counts).toEqual([3, 3, 1, 0, 0, 0, 0, 2, 0])
  expect(social.mostBusy()).toBe(1)
})

test.each<[string, string, Record<string, unknown>, 'none' | 'invited' | 'connected', string]>([
  ['a message to a stranger', 'message', { message_template: 'Hi' }, 'none', 'not connected'],
  [
    'an invitation to a connection',
    'connection_request',
    {},
    'connected',
    'already connected to the account',
  ],
  ['a second invitation', 'connection_request', {}, 'invited', 'already pending'],
  ['a withdrawal without an invitation', 'withdraw_invitation', {}, 'none', 'No invitation'],
  ['a step for connections only', 'follow', { condition: 'connected' }, 'none', '“connected” was not met'],
  [
    'a step for others only',
    'follow',
    { condition: 'not_connected' },
    'connected',
    '“not_connected” was not met',
  ],
])('%s is skipped with its reason and takes no slot', async (_, action_type, more, relation, reason) => {
  const social = memorySocial()
  social.relations.set('id-ada', relation)
  const { campaign_id } = await launched({ steps_config: [{ channel: 'social', action_type, ...more }] })
  await dispatch(MONDAY, social)
  expect(social.done).toEqual([])
  const [action] = await actionsOf(campaign_id)
  expect(action).toMatchObject({ status: 'skipped', response: expect.stringContaining(reason) })
  expect(await leadsOf(campaign_id)).toMatchObject([{ status: 'completed' }])
  expect((await db.campaignDay.findMany({ where: { campaign_id } })).map(({ used }) => used)).toEqual([0])
})

test('a step of mail sends a mail, whatever its action_type says, beside a social step of that kind', async () => {
  const social = memorySocial()
  const mail = memoryMail()
  const { owner, campaign_id } = await launched({
    steps_config: [
      { ...FIRST, channel: 'email', action_type: 'connection_request' },
      { delay_days: 1, message_template: 'Again?', channel: 'email', action_type: 'message' },
      { ...INVITE, delay_days: 1 },
    ],
  })
  const planned = await wholeForecast(owner.workspace_id, campaign_id, MONDAY)
  expect([...planned.step]).toEqual([1, 2, 3])
  for (const day of [0, 1, 2]) await dispatch(minutes(day * DAY + day), social, mail)
  expect(mail.outbox).toHaveLength(2)
  expect(types(social)).toEqual(['connection_request'])
  expect(
    (await actionsOf(campaign_id)).map(({ channel, action_type }) => `${channel} ${action_type}`),
  ).toEqual(['email email', 'email email', 'social connection_request'])
})
