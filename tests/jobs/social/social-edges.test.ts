import { afterEach, expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import { updateCampaign } from '#lib/services/changes/update'
import { recordSocialMessage } from '#lib/services/inbox/social-messages'
import { pauseCampaign, resumeCampaign } from '#lib/services/launch/lifecycle'
import { loseAccount } from '#lib/services/senders/accounts/account-loss'
import { dispatchDue } from '#lib/services/sending/run'
import { regainAccount } from '#lib/services/social/account-return'
import { sendChatMessage } from '#lib/services/social/chat-messages'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { memorySocial } from '#tests/support/doubles/memory-social'
import { FIRST, MONDAY, minutes } from '#tests/support/scenes/launched'
import { INVITE, launchedSocial, MESSAGE, profile, VISIT } from '#tests/support/scenes/launched-social'
import { anAccount } from '#tests/support/scenes/social'
import { aMember } from '#tests/support/scenes/team'

afterEach(async () => {
  await db.campaign.deleteMany()
})

const DAY = 24 * 60
const dispatch = async (at: Date, social = memorySocial(), mail = memoryMail()) =>
  dispatchDue({ mail: mail.provider, social: social.drivers, clock: () => at })
const leadOf = (campaign_id: string) =>
  db.campaignLead.findFirstOrThrow({ where: { campaign_id }, orderBy: { lead_index: 'asc' } })
const accountOf = (account_id: string) => db.connectedAccount.findUniqueOrThrow({ where: { account_id } })

/** Somebody writes to the account; `provider_id` null: the provider does not name them. */
async function answers(account_id: string, provider_id: string | null, chat_id = 'chat-1') {
  const said = { direction: 'in' as const, sender_name: null, text: 'Thank you.', at: minutes(3) }
  const message = { ...said, message_id: crypto.randomUUID(), chat_id, provider_id }
  return recordSocialMessage(await accountOf(account_id), message, minutes(3))
}

test('a lead without an address who answers in the chat is over', async () => {
  const rows = [{ ...profile('ada'), email: null }]
  const made = await launchedSocial({ steps_config: [VISIT, { ...VISIT, delay_days: 1 }] }, rows)
  await dispatch(MONDAY)
  await answers(made.account_id, 'id-ada')
  expect(await leadOf(made.campaign_id)).toMatchObject({ status: 'replied', next_step: null })
})

test('an answer without a name is the answer of whom the campaign began the chat with', async () => {
  const social = memorySocial()
  social.relations.set('id-ada', 'connected')
  const made = await launchedSocial({ steps_config: [MESSAGE, { ...VISIT, delay_days: 1 }] })
  await dispatch(MONDAY, social)
  expect(await answers(made.account_id, null, 'chat-id-ada')).toBe(true)
  expect(await leadOf(made.campaign_id)).toMatchObject({ status: 'replied' })
})

test('leads go on from the account that the campaign was given, and an answer to the old one ends them', async () => {
  const made = await launchedSocial({
    steps_config: [VISIT, { ...VISIT, delay_days: 1 }, { ...VISIT, delay_days: 1 }],
  })
  const other = await anAccount(made.owner)
  await db.connectedAccount.update({
    where: { account_id: other.account_id },
    data: { status: 'disconnected' },
  })
  await dispatch(MONDAY)
  await db.connectedAccount.update({ where: { account_id: other.account_id }, data: { status: 'connected' } })
  await pauseCampaign(made.owner.workspace_id, made.campaign_id, minutes(1))
  const change = { connected_account_id: other.account_id }
  await updateCampaign(made.owner.workspace_id, made.campaign_id, change, minutes(2))
  await resumeCampaign(made.owner.workspace_id, made.campaign_id, minutes(60))
  expect(await leadOf(made.campaign_id)).toMatchObject({ connected_account_id: null, next_sender_id: null })
  const social = memorySocial()
  await dispatch(minutes(DAY), social)
  const { provider_account_id } = await accountOf(other.account_id)
  expect(social.done.map(({ account }) => account)).toEqual([provider_account_id])
  await answers(made.account_id, 'id-ada')
  expect(await leadOf(made.campaign_id)).toMatchObject({
    status: 'replied',
    connected_account_id: other.account_id,
  })
})

test('on another network a lead is who the row says there', async () => {
  const rows = [{ ...profile('ada'), instagram: 'ada.insta' }]
  const made = await launchedSocial({ steps_config: [VISIT, { ...MESSAGE, delay_days: 1 }] }, rows)
  const other = await anAccount(made.owner)
  await db.connectedAccount.update({
    where: { account_id: other.account_id },
    data: { provider: 'instagram' },
  })
  await dispatch(MONDAY)
  await pauseCampaign(made.owner.workspace_id, made.campaign_id, minutes(1))
  const change = { connected_account_id: other.account_id }
  await updateCampaign(made.owner.workspace_id, made.campaign_id, change, minutes(2))
  expect(await leadOf(made.campaign_id)).toMatchObject({
    social_profile: 'ada.insta',
    social_provider_id: null,
    connected_account_id: null,
  })
})

test('a mail for connections is skipped where nobody is known to be one', async () => {
  const mail = memoryMail()
  const steps_config = [
    { ...FIRST },
    { ...FIRST, condition: 'connected', delay_days: 1 },
    { ...INVITE, delay_days: 1 },
  ]
  const made = await launchedSocial({ steps_config })
  await dispatch(MONDAY, memorySocial(), mail)
  await dispatch(minutes(DAY), memorySocial(), mail)
  expect(mail.outbox).toHaveLength(1)
  const action = await db.action.findFirstOrThrow({ where: { campaign_id: made.campaign_id, step: 2 } })
  expect(action.status).toBe('skipped')
})

test('a campaign that was resumed without its account goes on once it is connected again', async () => {
  const made = await launchedSocial({ steps_config: [VISIT, { ...VISIT, delay_days: 1 }] })
  await dispatch(MONDAY)
  await loseAccount(pool(), made.account_id, 'signed out', minutes(1))
  await resumeCampaign(made.owner.workspace_id, made.campaign_id, minutes(2))
  await dispatch(minutes(DAY))
  await regainAccount(pool(), made.account_id, minutes(DAY + 5))
  const social = memorySocial()
  await dispatch(minutes(DAY + 5), social)
  expect(social.done).toHaveLength(1)
})

test('a campaign whose maker may not use its account any more stays paused once that is connected again', async () => {
  const { owner, campaign_id, account_id } = await launchedSocial({ steps_config: [VISIT] })
  await loseAccount(pool(), account_id, 'signed out', minutes(1))
  const { user_id } = await aMember(owner, 'member')
  await db.campaign.update({ where: { campaign_id }, data: { user_id } })
  await regainAccount(pool(), account_id, minutes(5))
  expect(await accountOf(account_id)).toMatchObject({ status: 'connected' })
  const paused = { status: 'paused', paused_reason: 'sender_disconnected' }
  expect(await db.campaign.findUnique({ where: { campaign_id } })).toMatchObject(paused)
})

test('a campaign that its owner pauses once its account was lost does not resume with that', async () => {
  const { owner, campaign_id, account_id } = await launchedSocial({ steps_config: [VISIT] })
  await loseAccount(pool(), account_id, 'signed out', minutes(1))
  const pause = () => pauseCampaign(owner.workspace_id, campaign_id, minutes(2))
  const paused = { status: 'paused', paused_from: 'active', paused_reason: 'user' }
  expect(await pause()).toMatchObject(paused)
  expect(await pause()).toMatchObject({ ...paused, updated_at: minutes(2) })
  await regainAccount(pool(), account_id, minutes(5))
  expect(await db.campaign.findUnique({ where: { campaign_id } })).toMatchObject(paused)
  const log = await db.campaignEvent.findMany({
    where: { campaign_id, kind: 'paused' },
    orderBy: { at: 'asc' },
  })
  expect(log.map(({ reason }) => reason)).toEqual(['sender_disconnected', 'user'])
})

test('what is written by hand begins the interval of its account before it leaves, and never sets it back', async () => {
  const made = await launchedSocial({ steps_config: [VISIT] })
  const seen: (Date | null)[] = []
  const social = memorySocial(async () => {
    seen.push((await accountOf(made.account_id)).last_action_at)
    // Meanwhile a campaign performs an action from the account.
    await db.connectedAccount.update({
      where: { account_id: made.account_id },
      data: { last_action_at: minutes(9) },
    })
    return null
  })
  const to = { chat_id: null, provider_id: 'id-bob' }
  await sendChatMessage(
    social.provider,
    await accountOf(made.account_id),
    to,
    { text: 'By hand.', user_id: null },
    minutes(7),
  )
  expect(seen).toEqual([minutes(7)])
  expect((await accountOf(made.account_id)).last_action_at).toEqual(minutes(9))
})

test('a claim waits for whoever acts from its account just then, and keeps the interval after it', async () => {
  const { account_id } = await launchedSocial({ steps_config: [VISIT] })
  await db.connectedAccount.update({ where: { account_id }, data: { min_interval_seconds: 600 } })
  const social = memorySocial()
  const other = await pool().connect()
  try {
    await other.query('BEGIN')
    await other.query('SELECT 1 FROM connected_accounts WHERE account_id = $1 FOR NO KEY UPDATE', [
      account_id,
    ])
    const claim = dispatch(MONDAY, social)
    const waits =
      'SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))'
    await expect.poll(async () => (await other.query(waits)).rowCount, { timeout: 60_000 }).toBeGreaterThan(0)
    const acted = 'UPDATE connected_accounts SET last_action_at = $2 WHERE account_id = $1'
    await other.query(acted, [account_id, MONDAY])
    await other.query('COMMIT')
    await claim
  } finally {
    other.release(true)
  }
  expect(social.done).toEqual([])
  await dispatch(minutes(10), social)
  expect(social.done).toHaveLength(1)
})
