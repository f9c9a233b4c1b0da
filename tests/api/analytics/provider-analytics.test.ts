import { afterEach, expect, test } from 'vitest'
import { ReadProviderAnalytics } from '#lib/contracts/campaigns/provider-analytics'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { ACCEPTED, memoryMail } from '#tests/support/doubles/memory-mail'
import { launchedOver } from '#tests/support/scenes/begun'
import { aDataset, aUser } from '#tests/support/scenes/factories'
import { dispatchAt, launched, MONDAY, minutes } from '#tests/support/scenes/launched'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
  await db.recipientDomain.deleteMany()
})

const DAYS = { from: '2026-03-01', to: '2026-03-03' }
const refusal = (code: number, enhanced: string) =>
  ({
    outcome: code >= 500 ? 'refused_for_good' : 'refused_for_now',
    code,
    response: `${code} no`,
    stage: 'rcpt',
    enhanced,
    blames: 'recipient',
  }) as const

async function sent() {
  await db.recipientDomain.createMany({
    data: [
      { domain: 'gmail.example', provider: 'google' },
      { domain: 'outlook.example', provider: 'microsoft' },
      { domain: 'unknown.example', provider: null },
    ],
  })
  const made = await launched({}, 1)
  const emails = ['a@gmail.example', 'b@gmail.example', 'c@gmail.example']
  emails.push('gone@outlook.example', 'later@outlook.example', 'd@unknown.example')
  const { dataset_id } = await aDataset(
    made.owner,
    emails.map((email) => ({ email })),
  )
  const { campaign_id } = await launchedOver(made, dataset_id, {})
  await dispatchAt(
    MONDAY,
    memoryMail(({ to: { address } }) => {
      if (address.startsWith('gone')) return refusal(550, '5.1.1')
      return address.startsWith('later') ? refusal(451, '4.7.1') : ACCEPTED
    }),
  )
  await db.campaignLead.updateMany({
    where: { email: 'a@gmail.example' },
    data: {
      status: 'replied',
      next_step: null,
      next_action_at: null,
      next_action_type: null,
      last_event_at: minutes(60),
    },
  })
  return { ...made, campaign_id }
}

test('what each provider made of the emails, each lead once', async () => {
  const { owner, campaign_id } = await sent()
  const { body } = await call(ReadProviderAnalytics, { as: owner, query: { ...DAYS, campaign_id } })
  expect(body).toMatchObject({ from: '2026-03-01', to: '2026-03-03' })
  const none = { sent: 0, contacted: 0, replied: 0, bounced: 0, deferred: 0, unsubscribed: 0 }
  expect(body.providers).toMatchObject([
    { ...none, provider: 'google', sent: 3, contacted: 3, replied: 1, reply_rate: { numerator: 1 } },
    { ...none, provider: 'other', sent: 1, contacted: 1 },
    { ...none, provider: 'microsoft', bounced: 1, deferred: 1, bounce_rate: { denominator: 1 } },
  ])
  // The lead of the first campaign is at an unknown provider.
  const all = await call(ReadProviderAnalytics, { as: owner, query: DAYS })
  expect(all.body.providers.find(({ provider }) => provider === 'other')).toMatchObject({ sent: 2 })
})

test('only the days asked for count, and nobody else’s', async () => {
  const { owner, campaign_id } = await sent()
  const before = { from: '2026-02-01', to: '2026-03-01' }
  expect((await call(ReadProviderAnalytics, { as: owner, query: before })).body.providers).toEqual([])
  const stranger = { as: await aUser(), query: { ...DAYS, campaign_id } }
  expect((await call(ReadProviderAnalytics, stranger)).body.providers).toEqual([])
  const wrong = { as: owner, query: { from: '2026-03-03', to: '2026-03-01' } }
  expect((await call(ReadProviderAnalytics, wrong)).status).toBe(422)
})
