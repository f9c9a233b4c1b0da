import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { aMailbox } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { aQuestion } from '../support/questions.ts'
import { test } from '../support/test.ts'

test('conversations are ticked, archived together and put back, and marked as unread', async ({ page }) => {
  const { workspace_id, ...person } = await aPerson()
  const { mailbox_id } = await aMailbox({ workspace_id, ...person })
  for (const name of ['ada', 'bob', 'eve'])
    await aQuestion({ workspace_id, mailbox_id, counterpart_address: `${name}@prices.test` })
  const count = (where: { status?: 'open' | 'done'; unread?: boolean }) =>
    db.thread.count({ where: { workspace_id, ...where } })
  await signIn(page, { workspace_id, ...person })
  await page.goto('/inbox')
  const main = page.getByRole('main')
  const boxes = main.getByRole('checkbox', { name: /^Select / })
  const bar = page.getByRole('region', { name: 'Selected conversations' })
  await expect(boxes).toHaveCount(3)
  await boxes.nth(0).check()
  await expect(bar).toContainText('1 selected')
  // The key selects the row that has the focus.
  await main.locator('[data-row-link]').nth(1).focus()
  await page.keyboard.press('x')
  await expect(bar).toContainText('2 selected')

  // While the request is pending the button keeps the focus, and further presses do nothing.
  const held = Promise.withResolvers<void>()
  let asked = 0
  await page.route('**/inbox*', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    asked += 1
    await held.promise
    await route.continue()
  })
  const mark = bar.getByRole('button', { name: 'Mark unread 2' })
  await mark.focus()
  await page.keyboard.press('Enter')
  await expect(mark).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Enter')
  await expect(mark).toBeFocused()
  held.resolve()
  await expect.poll(() => count({ unread: true })).toBe(2)
  await expect(bar).toHaveCount(0)
  expect(asked).toBe(1)
  await boxes.nth(0).check()
  await boxes.nth(1).check()
  await bar.getByRole('button', { name: 'Archive 2' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => count({ status: 'done' })).toBe(2)
  await expect(boxes).toHaveCount(1)
  // The keyboard focus is back in the list, on a row that is still there.
  await expect(boxes).toBeFocused()
  // A toast stays for as long as the pointer is on it.
  const undo = page.getByLabel('What just happened').getByRole('button', { name: 'Undo' }).last()
  await undo.hover()
  await undo.click()
  await expect.poll(() => count({ status: 'done' })).toBe(0)
  await expect(boxes).toHaveCount(3)
})
