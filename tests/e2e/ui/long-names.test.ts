import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

test('a name of one long word stays inside its page, on a wide screen and on a phone', async ({ page }) => {
  const person = await aPerson()
  const { workspace_id, user_id } = person
  const name = 'W'.repeat(100)
  await db.template.create({ data: { workspace_id, user_id, name, content: { subject: name, body: name } } })
  await db.senderProfile.create({
    data: { workspace_id, user_id, profile_name: name, description: name, sender_data: { data: {} } },
  })
  await db.apiKey.create({
    data: {
      workspace_id,
      user_id,
      name,
      key_prefix: 'opn_live_abc',
      key_digest: 'a'.repeat(64),
      scopes: ['read'],
    },
  })
  const contact = await db.person.create({
    data: { workspace_id, email: 'ada@example.com', first_name: name, company: name },
  })
  const paths = ['/templates', '/sender-profiles', '/api-keys', `/people/${contact.person_id}`]
  await signIn(page, person)
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    for (const path of paths) {
      await page.goto(path)
      await expect(page.getByRole('main').getByText(name).first()).toBeVisible()
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(wide, `${path} at ${width}`).toBeLessThanOrEqual(width)
    }
  }
})

test('a menu is no wider than a phone, however long what it names is', async ({ page }) => {
  const person = await aPerson()
  const name = 'W'.repeat(100)
  const { workspace_id } = await db.workspace.create({ data: { name, slug: person.workspace_id.slice(-12) } })
  await db.member.create({ data: { workspace_id, user_id: person.user_id, role: 'owner' } })
  await signIn(page, person)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/home')
  await page.getByRole('button', { name: /: account$/ }).click()
  const menu = page.getByRole('menu', { name: /: account$/ })
  await expect(menu.getByText(name)).toBeVisible()
  const box = await menu.boundingBox()
  expect(box?.x).toBeGreaterThanOrEqual(0)
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
})
