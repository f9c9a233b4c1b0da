import { afterEach, expect, test } from 'vitest'
import { ReadWorkspaceAnalytics } from '#lib/contracts/campaigns/workspace-analytics'
import { UpdateNotificationPreferences } from '#lib/contracts/telling/notifications'
import { db, pool } from '#lib/db/client'
import { queueAnalyticsEmails } from '#lib/services/campaigns/reports/analytics-email'
import { readDueWork } from '#lib/services/instance/due-work'
import { readAnalyticsEmail, stopAnalyticsEmail } from '#lib/services/telling/analytics-emails'
import { updatePreferences } from '#lib/services/telling/notification-preferences'
import { call } from '#tests/support/call'
import { dispatchAt, launched, MONDAY } from '#tests/support/scenes/launched'
import { instance, later, messagesOf, type User } from '#tests/support/scenes/notifications'
import { aMember } from '#tests/support/scenes/team'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
  await db.notificationMessage.deleteMany()
  await db.notificationPreferences.deleteMany()
})

/** MONDAY is 2 March: the email about its week is due on the 9th at eight. */
const WEDNESDAY = new Date('2026-03-04T12:00:00Z')
const NEXT_MONDAY = new Date('2026-03-09T08:00:00Z')
const hours = (count: number) => new Date(NEXT_MONDAY.getTime() + count * 3_600_000)

async function subscribed(chosen: 'weekly' | 'monthly' = 'weekly') {
  const made = await launched()
  await dispatchAt(MONDAY)
  await updatePreferences(made.owner, { analytics_email: chosen }, WEDNESDAY)
  const { channels, send, outbox } = instance()
  const round = (at: Date) => queueAnalyticsEmails(channels, at)
  // Turning the emails on is effective at once, and nothing about an earlier week is sent.
  expect(await round(WEDNESDAY)).toMatchObject({ queued: 0 })
  return { ...made, channels, round, send, outbox }
}

const dueFor = async ({ workspace_id, user_id }: User) =>
  (
    await db.notificationPreferences.findUniqueOrThrow({
      where: { workspace_id_user_id: { workspace_id, user_id } },
    })
  ).analytics_due_at

test('nobody gets it who did not ask for it', async () => {
  const { owner } = await launched()
  await dispatchAt(MONDAY)
  await updatePreferences(owner, { notify_on_reply: false }, WEDNESDAY)
  expect(await queueAnalyticsEmails(instance().channels, hours(0))).toMatchObject({ queued: 0 })
  expect(await messagesOf(owner)).toEqual([])
})

test('on Monday at eight, with the figures of the page, and a way out by one click', async () => {
  const { owner, round, send, outbox } = await subscribed()
  expect(await dueFor(owner)).toEqual(NEXT_MONDAY)
  expect(await round(new Date(NEXT_MONDAY.getTime() - 60_000))).toMatchObject({ queued: 0 })
  expect(await round(NEXT_MONDAY)).toMatchObject({ queued: 1 })
  await send(later(0))

  const { body } = await call(ReadWorkspaceAnalytics, {
    as: owner,
    query: { from: '2026-03-02', to: '2026-03-08' },
  })
  expect(body.totals.sent).toBe(3)
  const [mail] = outbox
  expect(mail?.to.address).toBe(owner.email)
  expect(mail?.subject).toContain('3 sent, 0.0 % replied, 2026-03-02 to 2026-03-08')
  expect(mail?.text).toContain('Sent: 3 to 3 leads; 0 in as many days before')
  expect(mail?.text).toContain('/analytics?from=2026-03-02&to=2026-03-08')
  expect(mail?.headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')

  const link = /^<.*\/analytics-email\/(.+)>$/.exec(mail?.headers['List-Unsubscribe'] ?? '')?.[1] ?? ''
  expect(await readAnalyticsEmail(link)).toEqual({ comes: true })
  expect(await stopAnalyticsEmail(link)).toBe(true)
  expect(await readAnalyticsEmail(link)).toEqual({ comes: false })
  expect(await stopAnalyticsEmail(`${link}x`)).toBe(false)
  expect(await round(hours(7 * 24))).toMatchObject({ queued: 0 })
  expect(await dueFor(owner)).toBeNull()
})

test('two workers in the same minute send one, and a later round none', async () => {
  const { owner, round } = await subscribed()
  const both = await Promise.all([round(hours(0)), round(hours(0)), round(hours(0))])
  expect(both.reduce((sum, { queued }) => sum + queued, 0)).toBe(1)
  expect(await round(hours(1))).toMatchObject({ queued: 0 })
  // Not even after its due time was set back: the ledger contains the week.
  await db.notificationPreferences.updateMany({ data: { analytics_due_at: NEXT_MONDAY } })
  expect(await round(hours(2))).toMatchObject({ queued: 0 })
  expect(await messagesOf(owner)).toMatchObject([{ kind: 'analytics', period: 'weekly 2026-03-02' }])
})

test('a week in which nothing was sent is not told of; an outage loses the older weeks only', async () => {
  const { owner, round } = await subscribed()
  await dispatchAt(new Date('2026-03-18T10:00:00Z'))
  expect(await round(new Date('2026-03-24T10:00:00Z'))).toMatchObject({ queued: 1 })
  expect(await messagesOf(owner)).toMatchObject([{ period: 'weekly 2026-03-16' }])
  expect(await dueFor(owner)).toEqual(new Date('2026-03-30T08:00:00Z'))
  expect(await round(new Date('2026-03-30T08:00:00Z'))).toMatchObject({ queued: 0 })
  expect(await dueFor(owner)).toEqual(new Date('2026-04-06T08:00:00Z'))
})

test('by month, to whom may see the campaigns: not to a client, nor to who left or switched email off', async () => {
  const { owner, round } = await subscribed('monthly')
  const viewer = await aMember(owner, 'viewer')
  const client = await aMember(owner, 'client')
  const left = await aMember(owner, 'member')
  const silent = await aMember(owner, 'member')
  for (const one of [viewer, client, left, silent])
    await updatePreferences(one, { analytics_email: 'monthly' }, WEDNESDAY)
  await updatePreferences(silent, { email_enabled: false }, WEDNESDAY)
  await db.member.deleteMany({ where: { user_id: left.user_id } })
  await round(WEDNESDAY)
  expect(await round(new Date('2026-04-01T08:00:00Z'))).toMatchObject({ queued: 2 })
  const messages = await messagesOf(owner)
  expect(messages.map(({ recipient }) => recipient).toSorted()).toEqual(
    [owner.email, viewer.email].toSorted(),
  )
  expect(messages.map(({ period }) => period)).toEqual(['monthly 2026-03-01', 'monthly 2026-03-01'])
})

test('the bell rings when the next one is due, and a choice saved anew moves nothing', async () => {
  const { owner } = await subscribed()
  const due = async () => (await readDueWork(pool())).find(({ bell }) => bell === 'notifications')?.due
  expect(await due()).toEqual(NEXT_MONDAY)
  const { body } = await call(UpdateNotificationPreferences, {
    as: owner,
    body: { analytics_email: 'weekly' },
  })
  expect(body.analytics_email).toBe('weekly')
  expect(await due()).toEqual(NEXT_MONDAY)
  await call(UpdateNotificationPreferences, { as: owner, body: { analytics_email: 'off' } })
  expect(await dueFor(owner)).toBeNull()
})
