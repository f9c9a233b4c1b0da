import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { openWeb } from '../support/open-web.ts'
import { test } from '../support/test.ts'

let open: Awaited<ReturnType<typeof openWeb>>
test.beforeAll(async () => {
  open = await openWeb()
})
test.afterAll(() => open.stop())

const PASSWORD = 'a stapler of nine horses'

test('where sign-up is open, a stranger makes an account by keys alone, and begins in their own zone', async ({
  browser,
}) => {
  const context = await browser.newContext({
    baseURL: open.url,
    timezoneId: 'Europe/Berlin',
    // Each client address has a rate limit of its own.
    extraHTTPHeaders: { 'x-forwarded-for': `2001:db8::${randomUUID().slice(0, 4)}` },
  })
  const page = await context.newPage()
  const email = `new-${randomUUID().slice(0, 8)}@example.com`
  await page.goto('/sign-in')
  const create = page.getByRole('link', { name: 'Create one' })
  await expect(async () => {
    await page.keyboard.press('Tab')
    await expect(create).toBeFocused({ timeout: 100 })
  }).toPass()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/sign-up$/)
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.type('Nora New')
  await page.keyboard.press('Tab')
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type('Basketball1')
  await page.keyboard.press('Enter')
  // The password is among the most common ones. Until that is reported, the button is busy and ignores further presses.
  await expect(page.getByRole('alert').filter({ hasText: 'Check the marked fields.' })).toBeVisible()
  const password = page.getByLabel('Password', { exact: true })
  await expect(password).toBeFocused()
  await expect(password).toHaveAccessibleDescription(/This is one of the commonest passwords/)
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(email)
  expect(await db.user.count({ where: { email } })).toBe(0)

  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/home$/)
  const main = page.getByRole('main')
  // The sandbox mailbox that every account starts with counts as done.
  await expect(main).toContainText('1 of 5 done')
  await expect(main).toContainText('Its emails stay on this server')
  const { user_id } = await db.user.findUniqueOrThrow({ where: { email } })
  const { workspace } = await db.member.findFirstOrThrow({ where: { user_id }, include: { workspace: true } })
  expect(workspace.timezone).toBe('Europe/Berlin')

  // Again, as a user who forgot their account: nothing changes, and the page names the way to sign in.
  await context.clearCookies()
  await page.goto('/sign-up?return_path=/campaigns')
  await page.getByRole('textbox', { name: 'Name' }).fill('Somebody Else')
  await page.getByRole('textbox', { name: 'Email' }).fill(email.toUpperCase())
  await page.getByLabel('Password', { exact: true }).fill('another stapler of horses')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByText('This address already has an account.')).toBeVisible()
  expect(await db.user.findUniqueOrThrow({ where: { email } })).toMatchObject({ name: 'Nora New' })
  await page.getByRole('link', { name: 'Sign in' }).click()
  await expect(page.getByText('Sign in to open Campaigns.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/campaigns$/)
  await context.close()
})
