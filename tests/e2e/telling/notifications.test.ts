import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

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
