import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { DAY_MS } from '#lib/domain/calendar/zoned-time'
import { scheduledPost } from '#lib/services/posts/state'
import { anAccount } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

test('a scheduled post is moved to another day by keys and by the pointer; what is over takes none', async ({
  page,
}) => {
  const person = await aPerson()
  const { account_id } = await anAccount(person)
  // The Wednesday of the week after next, whatever today is.
  const today = new Date().toISOString().slice(0, 10)
  const monday = Date.parse(today) - ((new Date(today).getUTCDay() + 6) % 7) * DAY_MS
  const dayAt = (days: number) => new Date(monday + (14 + days) * DAY_MS).toISOString().slice(0, 10)
  const { id } = await db.socialPost.create({
    data: {
      workspace_id: person.workspace_id,
      user_id: person.user_id,
      connected_account_id: account_id,
      text: 'News of the week',
      ...scheduledPost(new Date(`${dayAt(2)}T09:30:00Z`)),
    },
  })
  const stored = async () =>
    (await db.socialPost.findUniqueOrThrow({ where: { id } })).scheduled_at?.toISOString().slice(0, 16)
  await signIn(page, person)
  await page.goto(`/posts/calendar?week=${dayAt(0)}`)
  const post = page.getByRole('main').getByRole('link', { name: /News of the week/ })
  await post.focus()
  await page.keyboard.press('Alt+ArrowRight')
  await expect.poll(stored).toBe(`${dayAt(3)}T09:30`)
  await expect(post).toBeFocused()
  const days = page.getByRole('main').locator('ol > li')
  await expect(days.nth(3)).toContainText('News of the week')
  await post.dragTo(days.nth(0))
  await expect.poll(stored).toBe(`${dayAt(0)}T09:30`)
  await expect(days.nth(0)).toContainText('News of the week')

  await page.getByRole('link', { name: 'Month', exact: true }).click()
  await expect(page).toHaveURL(/month=/)
  await page.goto('/posts/calendar')
  await expect(page.locator('time[aria-current="date"]')).toHaveCount(1)
})
