import { afterEach, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { recordSocialMessage } from '#lib/services/inbox/social-messages'
import { resumeLeads } from '#lib/services/leads/stops'
import { dispatchDue } from '#lib/services/sending/run'
import { sendChatMessage } from '#lib/services/social/chat-messages'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { memorySocial } from '#tests/support/doubles/memory-social'
import { logOf } from '#tests/support/scenes/begun'
import { MONDAY, minutes } from '#tests/support/scenes/launched'
import { INVITE, launchedSocial, MESSAGE, profile, VISIT } from '#tests/support/scenes/launched-social'

afterEach(async () => {
  await db.campaign.deleteMany()
})

const DAY = 24 * 60
type Rows = Parameters<typeof launchedSocial>[1]
const STEPS = [VISIT, { ...MESSAGE, delay_days: 1 }]

/** A campaign whose first step was performed for Ada and Bob, who are connections unless that step invites them. */
async function begun(steps_config: object[] = STEPS, rows: Rows = [profile('ada'), profile('bob')]) {
  const social = memorySocial()
  if (steps_config === STEPS) for (const id of ['id-ada', 'id-bob']) social.relations.set(id, 'connected')
  const made = await launchedSocial({ steps_config }, rows)
  const mail = memoryMail()
  const send = (at: Date) => dispatchDue({ mail: mail.provider, social: social.drivers, clock: () => at })
  await send(MONDAY)
  const account = await db.connectedAccount.findUniqueOrThrow({ where: { account_id: made.account_id } })
  /** A message to Ada that was written on a phone, as found in the chat. */
  const found = (text: string, at = minutes(30), message_id: string = crypto.randomUUID()) =>
    recordSocialMessage(
      account,
      {
        direction: 'out',
        sender_name: null,
        chat_id: 'chat-id-ada',
        provider_id: 'id-ada',
        message_id,
        text,
        at,
      },
      minutes(40),
    )
  const leads = () =>
    db.campaignLead.findMany({ where: { campaign_id: made.campaign_id }, orderBy: { lead_index: 'asc' } })
  return { ...made, account, social, send, found, leads }
}

const acted = (social: ReturnType<typeof memorySocial>) =>
  social.done.map(({ action }) => `${action.action_type} ${action.provider_id}`)
const STOPPED = { status: 'skipped', reason: 'written_by_hand', last_event: 'stopped', next_action_at: null }

test('what somebody writes to a lead in the network’s own app ends what waits for it, and can be taken back', async () => {
  const { found, leads, send, social, owner, campaign_id } = await begun()
  expect(await found('As we said on the phone.')).toBe(true)
  const [ada, bob] = await leads()
  expect([ada, bob]).toMatchObject([STOPPED, { status: 'active' }])
  expect(await logOf(ada?.campaign_lead_id ?? '')).toContain('stopped')
  await send(minutes(DAY + 5))
  expect(acted(social).slice(2)).toEqual(['message id-bob'])
  await resumeLeads(owner.workspace_id, campaign_id, [ada?.campaign_lead_id ?? ''], minutes(DAY + 6))
  await send(minutes(DAY + 7))
  expect(acted(social).slice(3)).toEqual(['message id-ada'])
})

test('so it does for somebody of whom only the profile is known', async () => {
  const { found, leads } = await begun(STEPS, [{ ...profile('ada'), email: null }])
  await found('As we said on the phone.')
  expect(await leads()).toMatchObject([STOPPED])
})

test('what a step wrote ends nothing, however the network copies it', async () => {
  const { found, leads, social, send, account_id } = await begun([
    { ...INVITE, message_template: 'Hello {{ first_name }}, \n shall we talk?' },
    { ...MESSAGE, delay_days: 1 },
    { ...VISIT, delay_days: 1 },
  ])
  expect(social.done.map(({ action }) => action.action_type)).toEqual(Array(2).fill('connection_request'))
  expect(await found('Hello ada, shall we talk?')).toBe(true)
  expect(await leads()).toMatchObject([{ status: 'active' }, { status: 'active' }])
  await db.socialPerson.updateMany({ where: { account_id }, data: { relation: 'connected' } })
  social.relations.set('id-ada', 'connected')
  await send(minutes(DAY + 5))
  const [reference] = social.done.flatMap(({ action, reference: id }) =>
    action.action_type === 'message' && action.provider_id === 'id-ada' ? [id] : [],
  )
  await found('A word, ada.', minutes(DAY + 6), `message-${reference}`)
  expect(await leads()).toMatchObject([{ status: 'active' }, { status: 'active' }])
})

test('what was said before the campaign began with a lead ends nothing', async () => {
  const { found, leads } = await begun()
  await found('See you on Monday.', minutes(-60))
  expect(await leads()).toMatchObject([{ status: 'active' }, { status: 'active' }])
})

test('an answer from here ends what waits, once it may have left', async () => {
  const { account, leads, social } = await begun()
  const refused = memorySocial(() => ({ outcome: 'never_left', response: 'No.', sender_rejected: false }))
  const write = (driver: typeof social) =>
    sendChatMessage(
      driver.provider,
      account,
      { chat_id: null, provider_id: 'id-ada' },
      { text: 'By hand.', user_id: null },
      minutes(30),
    )
  expect(await write(refused)).toMatchObject({ delivery_status: 'failed' })
  expect(await leads()).toMatchObject([{ status: 'active' }, { status: 'active' }])
  expect(await write(social)).toMatchObject({ delivery_status: 'sent' })
  expect(await leads()).toMatchObject([STOPPED, { status: 'active' }])
})

test('what the person writes while an answer is under way stays unread, and the last message', async () => {
  const { account, found, social } = await begun()
  await found('As we said.')
  const said = {
    direction: 'in',
    sender_name: 'Ada',
    chat_id: 'chat-id-ada',
    provider_id: 'id-ada',
    message_id: 'theirs',
    text: 'When do we talk?',
    at: minutes(49),
  } as const
  const slow: typeof social.provider = {
    ...social.provider,
    act: async (...action) => {
      await recordSocialMessage(account, said, minutes(51))
      return social.provider.act(...action)
    },
  }
  const to = { chat_id: 'chat-id-ada', provider_id: 'id-ada' }
  await sendChatMessage(slow, account, to, { text: 'By hand.', user_id: null }, minutes(50))
  const { account_id } = account
  expect(await db.thread.findMany({ where: { connected_account_id: account_id } })).toMatchObject([
    { unread: true, last_direction: 'in', preview: 'When do we talk?', last_message_at: minutes(50) },
  ])
})

test.each([
  ['as the provider named it', 'named'],
  ['of which the provider had not said the id', 'nameless'],
])(
  'an answer into a chat of which only the id was known ends what waits once its copy says with whom it is, %s',
  async (_, kind) => {
    const { account, found, leads, social } = await begun()
    await db.socialPerson.updateMany({ data: { chat_id: null } })
    await db.thread.deleteMany()
    const to = { chat_id: 'chat-id-ada', provider_id: null }
    const fate = await sendChatMessage(
      social.provider,
      account,
      to,
      { text: 'By hand.', user_id: null },
      minutes(30),
    )
    expect(await leads()).toMatchObject([{ status: 'active' }, { status: 'active' }])
    if (kind === 'nameless') await db.inboxMessage.updateMany({ data: { provider_message_id: null } })
    expect(await found('By hand.', minutes(30), fate.message_id ?? '')).toBe(false)
    expect(await leads()).toMatchObject([STOPPED, { status: 'active' }])
    expect(await db.thread.findMany()).toMatchObject([{ social_provider_id: 'id-ada' }])
    await found('By hand.', minutes(30), fate.message_id ?? '')
    expect(await db.inboxMessage.count()).toBe(1)
  },
)
