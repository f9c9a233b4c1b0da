import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

test('what happened is listed day by day, to the first of it', async ({ page }) => {
  const person = await aPerson()
  const now = Date.now()
  await db.notification.createMany({
    data: Array.from({ length: 25 }, (_, place) => ({
      workspace_id: person.workspace_id,
      kind: 'reply',
      data: { email: `lead-${place}@example.com` },
      // Some days old, so that none becomes "yesterday" while the test runs, and recent enough that none is deleted.
      created_at: new Date(now - (place < 20 ? 10 : 11) * 86_400_000 - place),
    })),
  })
  await signIn(page, person)
  await page.goto('/settings/notifications')
  const list = page.getByRole('region', { name: /^\w+,? \d+ \w+$/ })
  await expect(list.getByRole('listitem')).toHaveCount(20)
  await expect(list).toContainText('lead-0@example.com')
  await page.getByRole('link', { name: 'Next page' }).click()
  await expect(page).toHaveURL(/page=2/)
  await expect(list.getByRole('listitem')).toHaveCount(5)
  await expect(list).toContainText('lead-24@example.com')
})

test('the bell counts what is new, lists it from any page, and is quiet once it is read', async ({
  page,
}) => {
  const person = await aPerson()
  await db.notification.createMany({
    data: ['Ada', 'Bo'].map((name) => ({
      workspace_id: person.workspace_id,
      kind: 'reply',
      data: { email: `${name.toLowerCase()}@example.com` },
    })),
  })
  await signIn(page, person)
  await page.goto('/templates')
  await page.getByRole('button', { name: 'Notifications 2 unread' }).click()
  const panel = page.getByRole('dialog', { name: 'Notifications' })
  await expect(panel.getByRole('listitem')).toHaveCount(2)
  await expect(panel).toContainText('ada@example.com')
  await panel.getByRole('button', { name: 'Mark all as read' }).click()
  await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible()
  await expect(panel.getByText('Unread:')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
})
