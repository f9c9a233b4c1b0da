import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { aMailbox, aTemplate } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

const SOON = { timeout: 60_000 }

test('a template is put into an answer by / and by its menu, and a message goes on to somebody else', async ({
  page,
}) => {
  const owner = await aPerson()
  const { workspace_id } = owner
  const { mailbox_id } = await aMailbox(owner, { port: Number(process.env.SANDBOX_SMTP_PORT) })
  const about = { workspace_id, mailbox_id, subject: 'Prices' }
  const latest = { last_message_at: new Date(), last_direction: 'in', last_kind: 'reply', preview: 'Hi' }
  const { thread_id } = await db.thread.create({
    data: {
      ...about,
      ...latest,
      counterpart_address: 'ada@prices.test',
      counterpart_name: 'Ada Quinn',
      unread: false,
    },
  })
  await db.inboxMessage.create({
    data: {
      ...about,
      thread_id,
      direction: 'in',
      kind: 'reply',
      from_address: 'ada@prices.test',
      from_name: 'Ada Quinn',
      text: 'What does it cost?',
      at: new Date(),
    },
  })
  const named = async (name: string, body: string) => {
    const { template_id } = await aTemplate(owner, { body })
    await db.template.update({ where: { template_id }, data: { name } })
  }
  await named('Price list', 'For {{ email }}, {{ company }}: nothing.')
  await named('Directions', 'Turn left.')
  await signIn(page, owner)
  await page.goto(`/inbox/${thread_id}?folder=all`)

  const field = page.getByLabel(/^Answer /)
  await field.pressSequentially('Hello, see and/or /pri')
  const offers = page.getByRole('listbox', { name: 'Templates' })
  await expect(offers.getByRole('option')).toHaveText(['Price list'])
  await expect(field).toHaveAttribute('aria-activedescendant', /-0$/)
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue('Hello, see and/or For ada@prices.test, [company]: nothing.', SOON)
  await expect(page.getByText('Fill in [company]: this lead has no value for it.')).toBeVisible()
  await expect(offers).toBeHidden()
  await page.keyboard.press('Control+z')
  await expect(field).toHaveValue('Hello, see and/or /pri')
  await page.keyboard.press('Control+y')
  await expect(field).toHaveValue('Hello, see and/or For ada@prices.test, [company]: nothing.')
  await expect(offers).toBeHidden()

  await field.pressSequentially(' /')
  await expect(offers.getByRole('option')).toHaveText(['Directions', 'Price list'])
  await page.keyboard.press('Escape')
  await expect(offers).toBeHidden()
  await field.fill('')
  await page.getByRole('button', { name: 'Templates' }).click()
  await page.getByRole('menuitem', { name: 'Directions' }).click()
  await expect(field).toHaveValue('Turn left.', SOON)

  await page.getByRole('button', { name: 'Forward the message from Ada Quinn' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('textbox', { name: /^To\b/ })).toBeFocused()
  await dialog.getByRole('textbox', { name: /^To\b/ }).fill('bob@own.test')
  await dialog.getByLabel('Message', { exact: true }).fill('What do you say?')
  await dialog.getByRole('button', { name: 'Forward' }).click()
  await expect(page.getByText('Forwarded.')).toBeVisible(SOON)
  await expect(dialog).toBeHidden()
  const forwarded = page.getByRole('article').filter({ hasText: 'What do you say?' })
  await expect(forwarded).toContainText('Forwarded')
  const kept = await db.inboxMessage.findFirstOrThrow({ where: { thread_id, kind: 'forward' } })
  expect(kept).toMatchObject({ delivery_status: 'sent', text: expect.stringContaining('What does it cost?') })
})
