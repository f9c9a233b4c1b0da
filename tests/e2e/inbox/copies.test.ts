import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { aMailbox } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { aQuestion } from '../support/questions.ts'
import { test } from '../support/test.ts'

const SOON = { timeout: 60_000 }

async function aWideConversation() {
  const owner = await aPerson()
  const { mailbox_id, address } = await aMailbox(owner)
  const recipients = [
    { name: '', address },
    { name: 'Bob', address: 'bob@prices.test' },
  ]
  const said = { recipients, cc: ['bob@prices.test'], text: 'What does it cost? Bob asks too.' }
  return { owner, ...(await aQuestion({ ...owner, mailbox_id }, said)) }
}

test('an answer to all is copied to whoever the message went to, by keyboard too, and a suppressed one is named', async ({
  page,
}) => {
  const { owner, thread_id, path } = await aWideConversation()
  await signIn(page, owner)
  await page.goto(path)
  await expect(page.getByText('Cc bob@prices.test')).toBeVisible()
  await expect(page.getByLabel('Bcc')).toBeHidden()
  await page.getByRole('button', { name: 'Reply all (2)' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Cc', { exact: true })).toBeFocused()
  await expect(page.getByLabel('Cc', { exact: true })).toHaveValue('bob@prices.test')
  await page.getByLabel('Bcc').fill('CRM <crm@own.test>; second@own.test')
  await page.getByLabel(/^Answer /).fill('It costs nothing.')

  await db.suppression.create({
    data: { workspace_id: owner.workspace_id, value: 'second@own.test', reason: 'manual' },
  })
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByLabel('Bcc')).toHaveAccessibleDescription(
    'second@own.test is on the suppression list (manual).',
    SOON,
  )
  await expect(page.getByLabel(/^Answer /)).toHaveValue('It costs nothing.')

  await page.getByLabel('Bcc').fill('crm@own.test')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const card = page.getByRole('list', { name: 'Not sent yet' }).getByRole('article')
  await expect(card).toContainText('Cc bob@prices.test · Bcc crm@own.test', SOON)
  await expect(page.getByLabel('Cc', { exact: true })).toHaveValue('')
  // The message covers no text field, and its undo restores the copies too.
  const undo = page.getByRole('button', { name: 'Undo' })
  const [said, form] = [await undo.boundingBox(), await page.getByLabel(/^Answer /).boundingBox()]
  expect((said?.y ?? 0) + (said?.height ?? 0)).toBeLessThan(form?.y ?? 0)
  await undo.click()
  await expect(page.getByLabel('Cc', { exact: true })).toHaveValue('bob@prices.test', SOON)
  await expect(page.getByLabel('Bcc')).toHaveValue('crm@own.test')
  expect(await db.inboxDraft.findMany({ where: { thread_id } })).toMatchObject([
    { cc: ['bob@prices.test'], bcc: ['crm@own.test'], send_at: null },
  ])
})
