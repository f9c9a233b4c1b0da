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
  // By key too: the row that has the focus.
  await main.locator('[data-row-link]').nth(1).focus()
  await page.keyboard.press('x')
  await expect(bar).toContainText('2 selected')

  await bar.getByRole('button', { name: 'Mark unread 2' }).click()
  await expect.poll(() => count({ unread: true })).toBe(2)
  await expect(bar).toHaveCount(0)
  await boxes.nth(0).check()
  await boxes.nth(1).check()
  await bar.getByRole('button', { name: 'Archive 2' }).click()
  await expect.poll(() => count({ status: 'done' })).toBe(2)
  await expect(boxes).toHaveCount(1)
  // A receipt stays for as long as the pointer is on it.
  const undo = page.getByLabel('What just happened').getByRole('button', { name: 'Undo' }).last()
  await undo.hover()
  await undo.click()
  await expect.poll(() => count({ status: 'done' })).toBe(0)
  await expect(boxes).toHaveCount(3)
})
