import { afterEach, expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import { type SocialActionResult, type SocialOutcome, SocialReadError } from '#lib/providers/social/port'
import { dispatchDue } from '#lib/services/sending/run'
import { regainAccount } from '#lib/services/social/account-return'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { memorySocial } from '#tests/support/doubles/memory-social'
import { actionsOf, campaignOf, leadsOf, MONDAY, minutes } from '#tests/support/scenes/launched'
import { INVITE, launchedSocial as launched, profile, VISIT } from '#tests/support/scenes/launched-social'

afterEach(async () => {
  await db.campaign.deleteMany()
})

const DAY = 24 * 60
const dispatch = async (at: Date, social = memorySocial(), mail = memoryMail()) =>
  dispatchDue({ mail: mail.provider, social: social.drivers, clock: () => at })
const types = (social: ReturnType<typeof memorySocial>) => social.done.map(({ action }) => action.action_type)

test('a limit of the network rests the account for as long as it says', async () => {
  const limited: SocialOutcome<SocialActionResult> = {
    outcome: 'refused_for_now',
    code: null,
    response: 'Too many.',
    blames: 'sender',
    retry_after_seconds: 3_600,
  }
  let refusals = 1
  const social = memorySocial(() => (refusals-- > 0 ? limited : null))
  const { campaign_id, account_id } = await launched(
    { steps_config: [VISIT] },
    [profile('ada'), profile('bo')],
    { min_interval_seconds: 60 },
  )
  await dispatch(MONDAY, social)
  expect(await db.connectedAccount.findUniqueOrThrow({ where: { account_id } })).toMatchObject({
    rest_until: minutes(60),
  })
  await dispatch(minutes(59), social)
  expect(social.done).toHaveLength(1)
  await dispatch(minutes(60), social)
  await dispatch(minutes(62), social)
  expect(social.done).toHaveLength(3)
  expect((await leadsOf(campaign_id)).map(({ status }) => status)).toEqual(['completed', 'completed'])
})

test('a step that waits for another try is skipped once its condition holds no longer', async () => {
  const busy = {
    outcome: 'refused_for_now',
    code: null,
    response: 'Busy.',
    blames: 'sender',
    retry_after_seconds: 1_800,
  } as const
  const social = memorySocial(({ action }) => (action.action_type === 'follow' ? busy : null))
  const { campaign_id, account_id } = await launched({
    steps_config: [
      INVITE,
      { channel: 'social', action_type: 'follow', condition: 'not_connected' },
      { ...VISIT, delay_days: 1 },
    ],
  })
  await dispatch(MONDAY, social)
  await dispatch(minutes(1), social)
  expect((await actionsOf(campaign_id)).map(({ status }) => status)).toEqual(['sent', 'retry'])
  await db.socialPerson.updateMany({ where: { account_id }, data: { relation: 'connected' } })
  await dispatch(minutes(DAY), social)
  await dispatch(minutes(2 * DAY), social)
  expect(
    (await actionsOf(campaign_id)).map(({ status, outcome, attempts }) => [status, outcome, attempts]),
  ).toEqual([
    ['sent', 'accepted', 1],
    ['skipped', null, 1],
    ['sent', 'accepted', 1],
  ])
  expect(await campaignOf(campaign_id)).toMatchObject({ status: 'completed', sent_count: 2 })
})

test('a refusal that blames the person fails the step, and the lead goes on', async () => {
  const social = memorySocial(({ action }) =>
    action.action_type === 'like_post'
      ? { outcome: 'refused_for_good', code: null, response: 'No post.', blames: 'recipient' }
      : null,
  )
  const { campaign_id } = await launched({
    steps_config: [
      { channel: 'social', action_type: 'like_post' },
      { ...VISIT, delay_days: 1 },
    ],
  })
  await dispatch(MONDAY, social)
  await dispatch(minutes(DAY + 1), social)
  expect((await actionsOf(campaign_id)).map(({ status }) => status)).toEqual(['failed', 'sent'])
  expect(await leadsOf(campaign_id)).toMatchObject([{ status: 'completed' }])
  expect(await db.suppression.count()).toBe(0)
})

test('an account that was signed out pauses the campaign, and it goes on once connected again', async () => {
  let isOut = true
  const social = memorySocial(() =>
    isOut ? { outcome: 'never_left', response: 'Signed out.', sender_rejected: true } : null,
  )
  const { campaign_id, account_id } = await launched({ steps_config: [VISIT] })
  await dispatch(MONDAY, social)
  expect(await campaignOf(campaign_id)).toMatchObject({
    status: 'paused',
    paused_reason: 'sender_disconnected',
  })
  isOut = false
  await regainAccount(pool(), account_id, minutes(5))
  await dispatch(minutes(5), social)
  expect((await actionsOf(campaign_id)).map(({ status, attempts }) => [status, attempts])).toEqual([
    ['sent', 1],
  ])
})

test('an offer of unknown fate is never made again by itself', async () => {
  const social = memorySocial(() => ({ outcome: 'unknown', response: 'The line broke.' }))
  const { campaign_id } = await launched({ steps_config: [INVITE] })
  await dispatch(MONDAY, social)
  await dispatch(minutes(DAY), social)
  expect(social.done).toHaveLength(1)
  expect((await actionsOf(campaign_id)).map(({ status }) => status)).toEqual(['uncertain'])
})

test('a network that cannot be asked who somebody is costs no try', async () => {
  const social = memorySocial()
  social.failReading(new SocialReadError('unavailable', 'Down.'))
  const { campaign_id } = await launched({ steps_config: [VISIT] })
  await dispatch(MONDAY, social)
  expect((await actionsOf(campaign_id)).map(({ status, attempts }) => [status, attempts])).toEqual([
    ['retry', 0],
  ])
  social.failReading(null)
  await dispatch(minutes(2), social)
  expect(types(social)).toEqual(['visit_profile'])
})

test('a note that got too long for the account fails with its reason, and nothing is offered', async () => {
  const social = memorySocial()
  const { campaign_id } = await launched(
    { steps_config: [{ ...INVITE, message_template: '{{ first_name }}' }] },
    [{ ...profile('ada'), first_name: 'a'.repeat(201) }],
    { kind: 'free' },
  )
  await dispatch(MONDAY, social)
  expect(social.done).toEqual([])
  expect(await leadsOf(campaign_id)).toMatchObject([
    { status: 'failed', reason: 'failed', reason_detail: expect.stringContaining('at most 200') },
  ])
})
