import { expect, test } from 'vitest'
import { UpdateSocialPost } from '#lib/contracts/posts/social-posts'
import { db } from '#lib/db/client'
import { DAY_MS } from '#lib/domain/calendar/zoned-time'
import { postCalendar, wallClock } from '#lib/services/posts/calendar'
import { scheduledPost } from '#lib/services/posts/state'
import { call } from '#tests/support/call'
import { anAccount, aUser } from '#tests/support/scenes/factories'

const HOUR_MS = 3_600_000
const NOW = new Date('2026-11-26T21:00:00Z')

/** An owner in Auckland, where it is already the 27th. */
async function anOwner() {
  const owner = await aUser()
  await db.workspace.update({
    where: { workspace_id: owner.workspace_id },
    data: { timezone: 'Pacific/Auckland' },
  })
  return owner
}
const aPost = ({ workspace_id, user_id }: Awaited<ReturnType<typeof aUser>>, data: object) =>
  db.socialPost.create({ data: { workspace_id, user_id, text: 'News', ...data } })

test('a week is that of the day, from Monday on, with what stands on each day and at which time', async () => {
  const owner = await anOwner()
  const { id } = await aPost(owner, {
    ...scheduledPost(new Date('2026-11-27T20:30:00Z')),
    scheduled_at: new Date('2026-11-27T20:30:00Z'),
  })
  await aPost(owner, { status: 'draft', scheduled_at: new Date('2026-11-27T20:30:00Z') })
  await aPost(owner, { status: 'published', published_at: new Date('2026-11-22T10:59:00Z') })
  const { days, ...week } = await postCalendar(owner.workspace_id, { week: '2026-11-26' }, NOW)
  expect(days.map(({ date }) => date)).toEqual([23, 24, 25, 26, 27, 28, 29].map((day) => `2026-11-${day}`))
  expect(days.filter(({ is_today }) => is_today).map(({ date }) => date)).toEqual(['2026-11-27'])
  expect(days.filter(({ is_over }) => is_over)).toHaveLength(4)
  expect(days.flatMap(({ date, posts }) => posts.map(({ time, post }) => [date, time, post.id]))).toEqual([
    ['2026-11-28', '09:30', id],
  ])
  expect(week).toMatchObject({ before: '2026-11-22', after: '2026-11-30', now_local: '2026-11-27T10:00' })
})

test('a month has whole weeks, and leads to the week of today, or to its own first one', async () => {
  const { workspace_id } = await anOwner()
  const { days, ...november } = await postCalendar(workspace_id, {}, NOW)
  expect([days[0]?.date, days.at(-1)?.date, days.length]).toEqual(['2026-10-26', '2026-12-06', 42])
  expect(days.filter(({ in_month }) => in_month)).toHaveLength(30)
  expect(november).toMatchObject({ month: '2026-11', week: '2026-11-27', before: '2026-10-31' })
  const march = await postCalendar(workspace_id, { month: '2027-03' }, NOW)
  expect(march).toMatchObject({ month: '2027-03', week: '2027-03-01', after: '2027-04-01' })
})

test('a post that is moved keeps its time and all else, unless somebody changed it meanwhile', async () => {
  const owner = await anOwner()
  const account = await anAccount(owner)
  const at = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS + 10 * DAY_MS)
  const post = await aPost(owner, {
    connected_account_id: account.account_id,
    ...scheduledPost(at),
    scheduled_at: at,
  })
  const params = { post_id: post.id }
  const later = new Date(at.getTime() + 3 * DAY_MS)
  const body = { scheduled_local: wallClock(later, 'Pacific/Auckland'), version: String(post.version) }
  const moved = await call(UpdateSocialPost, { as: owner, params, body })
  expect([moved.status, moved.body.scheduled_at, moved.body.status, moved.body.text]).toEqual([
    200,
    later.toISOString(),
    'scheduled',
    'News',
  ])
  expect((await call(UpdateSocialPost, { as: owner, params, body })).status).toBe(409)
  const never = { scheduled_local: `${later.getUTCFullYear() + 1}-02-30T09:00` }
  const { status, error } = await call(UpdateSocialPost, { as: owner, params, body: never })
  expect([status, error.details[0]?.msg]).toEqual([422, 'must be a date and a time'])
})
