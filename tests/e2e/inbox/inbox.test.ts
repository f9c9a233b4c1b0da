import { expect, type Page } from '@playwright/test'
import { db } from '#lib/db/client'
import { aPerson, signInByHand } from '../support/people.ts'
import { atRest, keepReceipt, test } from '../support/test.ts'

test.describe.configure({ mode: 'serial' })

const SOON = { timeout: 150_000 }
let page: Page
let workspaceId: string

test.beforeAll(async ({ browser, baseURL }) => {
  const context = await browser.newContext({ baseURL: baseURL ?? '' })
  page = await context.newPage()
  const person = await aPerson()
  workspaceId = person.workspace_id
  await signInByHand(page, person)
})
test.afterAll(async () => page.context().close())

const main = () => page.getByRole('main')
/** The only conversation in the list. */
const conversation = () => main().locator('[data-row-link]')
/** Single-key shortcuts are off while a text control has the focus, and work once the page has settled. */
async function press(key: string) {
  await page.getByRole('heading', { level: 1 }).click()
  await atRest(page)
  await page.keyboard.press(key)
}

test('a reply in the sandbox stands unread in the inbox', async () => {
  await main().getByRole('button', { name: 'Add a sample campaign' }).click()
  await expect(main()).toContainText('4 of 5 done', SOON)
  await main().getByRole('link', { name: 'Review & launch' }).click()
  await main()
    .getByRole('button', { name: /^Launch to \d+ leads$/ })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Launch now' }).click()
  await expect
    .poll(() => db.sandboxMessage.count({ where: { workspace_id: workspaceId } }), SOON)
    .toBeGreaterThan(0)
  await page.goto('/sandbox/mail')
  await main().locator('[data-row-link]').last().click()
  await page.getByLabel('Reply text').fill('Tell me about the price, please. What does it cost?')
  await main().getByRole('button', { name: 'Reply', exact: true }).click()
  await expect
    .poll(() => db.thread.count({ where: { workspace_id: workspaceId, unread: true } }), SOON)
    .toBe(1)
  await expect(page.getByLabel('Reply text')).toHaveValue('')
  await page.goto('/inbox?folder=unread')
  await expect(conversation()).toContainText('Unread:')
  await expect(conversation()).toContainText('Tell me about the price')
})

test('it tells the step it answers, and a draft says who wrote it and waits to be sent', async () => {
  await conversation().click()
  await expect(main()).toContainText('Reply to step 1.')
  await expect(main()).toContainText('Stopped step 2.')
  await main().getByRole('button', { name: 'Draft a reply' }).click()
  await expect(main()).toContainText('Drafted by Offline writer.')
  await expect(main()).toContainText('“What does it cost” from their message')
  await expect(page.getByLabel(/^Answer /)).toHaveValue(/What does it cost\?/)
  await expect(main().getByRole('article').filter({ hasText: 'Answered' })).toHaveCount(0)
})

test('r goes to the answer, and what is sent stands in the conversation', async () => {
  await press('r')
  await expect(page.getByLabel(/^Answer /)).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Nothing at all.')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(main().getByRole('article').last()).toContainText('Nothing at all.')
})

test('e archives at once, and undo brings it back', async () => {
  await page.goto('/inbox')
  await conversation().click()
  await expect(page.getByLabel(/^Answer /)).toBeVisible()
  await press('e')
  await keepReceipt(page)
  await expect(main().getByRole('button', { name: 'Reopen' })).toBeVisible()
  await expect
    .poll(() => db.thread.count({ where: { workspace_id: workspaceId, status: 'done' } }), SOON)
    .toBe(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(main().getByRole('button', { name: 'Archive' })).toBeVisible()
  await expect
    .poll(() => db.thread.count({ where: { workspace_id: workspaceId, status: 'open' } }), SOON)
    .toBe(1)
})

test('a label is made, put on, and finds the conversation', async () => {
  await press('l')
  await page.getByRole('menuitem', { name: 'New label…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Asks the price')
  await dialog.getByLabel('Colour').selectOption('Green')
  await dialog.getByRole('button', { name: 'Create and add' }).click()
  await expect(dialog).toBeHidden()
  await main()
    .getByRole('link', { name: /^Asks the price/ })
    .first()
    .click()
  await expect(page).toHaveURL(/label=Asks\+the\+price/)
  await expect(conversation()).toBeVisible()
})

test('snoozed it leaves the open ones, and the search finds it still', async () => {
  await conversation().click()
  await expect(page.getByLabel(/^Answer /)).toBeVisible()
  await press('s')
  await page.getByRole('menuitem', { name: /^In a week/ }).click()
  await expect(main().getByRole('button', { name: 'Unsnooze' })).toBeVisible()
  await page.goto('/inbox')
  await expect(conversation()).toHaveCount(0)
  await page.getByRole('searchbox', { name: 'Search all conversations' }).fill('pric')
  await expect(page).toHaveURL(/search=pric/)
  await expect(conversation()).toBeVisible()
})
