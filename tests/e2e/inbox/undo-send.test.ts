import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { aMailbox } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { aQuestion } from '../support/questions.ts'
import { test } from '../support/test.ts'

const SOON = { timeout: 60_000 }

async function aConversation() {
  const owner = await aPerson()
  const { mailbox_id } = await aMailbox(owner)
  return { owner, ...(await aQuestion({ ...owner, mailbox_id })) }
}

test('what was sent can be undone, its words are back, and an answer can wait for another day', async ({
  page,
}) => {
  test.setTimeout(180_000)
  const { owner, thread_id, path } = await aConversation()
  await signIn(page, owner)
  await page.goto(path)
  const field = page.getByLabel(/^Answer /)
  await field.fill('It costs nothing.')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Not sent. Your text is back.')).toBeVisible(SOON)
  await expect(field).toHaveValue('It costs nothing.')
  await expect(field).toBeFocused()
  expect(await db.inboxDraft.findMany({ where: { thread_id } })).toMatchObject([{ send_at: null }])

  await field.click()
  await field.fill('It costs nothing, really.')
  await page.getByRole('button', { name: 'Send later' }).click()
  await page.getByRole('menuitem', { name: /^In a week/ }).click()
  await expect(page.getByText(/^Scheduled for /)).toBeVisible(SOON)
  const card = page.getByRole('list', { name: 'Not sent yet' }).getByRole('article')
  await expect(card).toContainText('Will be sent')
  await expect(card).toContainText('It costs nothing, really.')
  await expect(field).toHaveValue('')
  await page.reload()
  await card.getByRole('button', { name: 'Edit' }).click()
  await expect(field).toHaveValue('It costs nothing, really.', SOON)
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(field).toHaveValue('', SOON)
  expect(await db.inboxDraft.count({ where: { thread_id } })).toBe(0)
  expect(await db.inboxMessage.count({ where: { thread_id, kind: 'answer' } })).toBe(0)
})

test('an answer leaves at a time of one’s own, in the workspace’s clock, once that is in the future', async ({
  page,
}) => {
  test.setTimeout(180_000)
  const { owner, thread_id, path } = await aConversation()
  await db.workspace.update({
    where: { workspace_id: owner.workspace_id },
    data: { timezone: 'Asia/Tokyo' },
  })
  await signIn(page, owner)
  await page.goto(path)
  await page.getByLabel(/^Answer /).fill('It costs nothing.')
  await page.getByRole('button', { name: 'Send later' }).click()
  await page.getByRole('menuitem', { name: 'Pick a time…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send later' })
  const time = dialog.getByLabel('Time (Asia/Tokyo)')
  await time.fill('2020-01-01T09:00')
  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await expect(dialog).toContainText('Choose a time in the future.')
  const year = new Date().getUTCFullYear() + 1
  await time.fill(`${year}-01-15T09:30`)
  await time.press('Enter')
  await expect(page.getByText(/^Scheduled for /)).toBeVisible(SOON)
  expect(await db.inboxDraft.findMany({ where: { thread_id } })).toMatchObject([
    { send_at: new Date(`${year}-01-15T00:30:00Z`) },
  ])
})
