import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { aCampaign, aMailbox } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

test('words and a filter that are chosen at once both hold, and the box says what is searched for', async ({
  page,
}) => {
  const person = await aPerson()
  await signIn(page, person)
  for (const name of ['Spring sale', 'Autumn sale']) await aCampaign(person, { name })
  await page.goto('/campaigns')
  const box = page.getByRole('searchbox', { name: 'Search campaigns' })
  const rows = page.getByRole('main').getByRole('row')
  await box.fill('Spring')
  await page.getByRole('link', { name: /^Draft/ }).click()
  await expect(page).toHaveURL(/\/campaigns\?(?=.*status_filter=draft)(?=.*search=Spring)/)
  await expect(box).toHaveValue('Spring')
  await expect(rows.filter({ hasText: 'sale' })).toHaveCount(1)

  // The other way round.
  await page.getByRole('link', { name: /^All/ }).first().click()
  await box.fill('Autumn')
  await expect(page).toHaveURL(/\/campaigns\?search=Autumn$/)
  await expect(rows.filter({ hasText: 'sale' })).toContainText('Autumn')

  await box.fill('zzz')
  await page.getByRole('link', { name: 'Show all campaigns' }).click()
  await expect(page).toHaveURL(/\/campaigns$/)
  await expect(box).toHaveValue('')
})

test('the way back from a conversation leads to the list as it was', async ({ page }) => {
  const person = await aPerson()
  await signIn(page, person)
  const { mailbox_id } = await aMailbox(person)
  const { thread_id } = await db.thread.create({
    data: {
      workspace_id: person.workspace_id,
      mailbox_id,
      counterpart_address: 'ada@example.test',
      subject: 'Prices',
      assignee_id: person.user_id,
      last_message_at: new Date(),
      last_direction: 'in',
      last_kind: 'reply',
      preview: 'What does it cost?',
    },
  })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/inbox/${thread_id}?folder=all&assignee=me&search=Prices`)
  await page.getByRole('link', { name: 'All conversations' }).click()
  await expect(page).toHaveURL(/\/inbox\?(?=.*folder=all)(?=.*assignee=me)(?=.*search=Prices)/)
  await expect(page.getByRole('link', { name: /ada@example.test/ })).toBeVisible()
})
