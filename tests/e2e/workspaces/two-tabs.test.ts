import { expect, type Page } from '@playwright/test'
import { db } from '#lib/db/client'
import { createAuthLink } from '#lib/services/social/connections'
import { createWorkspace } from '#lib/services/workspaces/workspaces'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

async function aPersonOfTwo() {
  const person = await aPerson()
  const { user_id } = person
  const [alpha, beta] = [await createWorkspace(user_id, 'Alpha'), await createWorkspace(user_id, 'Beta')]
  const content = { subject: 'Hi', body: 'Hello' }
  for (const { workspace_id, name } of [alpha, beta])
    await db.template.create({ data: { workspace_id, user_id, name: `Of ${name}`, content } })
  return { person, alpha, beta }
}

const go = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).first().click()

async function suppress(page: Page, address: string) {
  await page.getByRole('button', { name: 'Add entries' }).click()
  await page.getByRole('textbox', { name: 'Addresses, domains, profiles or phone numbers' }).fill(address)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
}

const suppressed = async (value: string) =>
  (await db.suppression.findMany({ where: { value } })).map(({ workspace_id }) => workspace_id)

test('a tab stays in its workspace, and changes nothing elsewhere, while another tab works in another one', async ({
  page,
}) => {
  const { person, alpha, beta } = await aPersonOfTwo()
  await signIn(page, person)
  await page.goto(`/w/${alpha.slug}/suppressions`)
  await expect(page.getByRole('heading', { name: 'Suppressions', level: 1 })).toBeVisible()

  const other = await page.context().newPage()
  await other.goto(`/w/${beta.slug}/templates`)
  await expect(other.getByRole('main')).toContainText('Of Beta')
  await expect(other.getByRole('button', { name: /account$/ }).first()).toContainText('Beta')
  await expect(page.getByRole('button', { name: /account$/ }).first()).toContainText('Alpha')

  await suppress(page, 'stop@two-tabs.example')
  await expect(page.getByRole('main')).toContainText('stop@two-tabs.example')
  expect(await suppressed('stop@two-tabs.example')).toEqual([alpha.workspace_id])

  await go(page, 'Templates')
  await expect(page.getByRole('main')).toContainText('Of Alpha')
  await expect(page.getByRole('main')).not.toContainText('Of Beta')
  await go(other, 'Suppressions')
  await expect(other.getByRole('heading', { name: 'Suppressions', level: 1 })).toBeVisible()
  await expect(other.getByRole('main')).not.toContainText('stop@two-tabs.example')
})

test('a mailbox is connected where it was begun, though another tab chose another workspace meanwhile', async ({
  page,
}) => {
  const { person, alpha, beta } = await aPersonOfTwo()
  await signIn(page, person)
  await page.goto(`/w/${alpha.slug}/mailboxes/new?with=sandbox`)
  await page.getByRole('button', { name: 'Continue to the sandbox' }).click()
  await expect(page.getByRole('main')).toContainText('For Alpha.')
  const consent = page.url()

  const other = await page.context().newPage()
  await other.goto(`/w/${beta.slug}/templates`)
  await expect(other.getByRole('main')).toContainText('Of Beta')
  // After a reload the page still names the account that it is for.
  await page.goto(consent)
  await expect(page.getByRole('main')).toContainText('For Alpha.')
  await other.goto(`/w/${beta.slug}/templates`)
  await expect(other.getByRole('main')).toContainText('Of Beta')

  await page.getByRole('textbox', { name: 'Account' }).fill('two@tabs.example')
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await expect(page).toHaveURL(/\/mailboxes\/[\w-]{36}\?connected=1$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('two@tabs.example')
  await expectWorkspace(page, 'Alpha')
  const made = await db.mailbox.findMany({ where: { address: 'two@tabs.example' } })
  expect(made.map(({ workspace_id }) => workspace_id)).toEqual([alpha.workspace_id])
})

test('the sign-in at a network ends in the workspace in which it was begun', async ({ page }) => {
  const { person, alpha, beta } = await aPersonOfTwo()
  await signIn(page, person)
  const { url } = await createAuthLink(
    alpha.workspace_id,
    { provider: 'linkedin', return_path: '/accounts' },
    new Date(),
  )
  await page.goto(`/w/${beta.slug}/templates`)
  await page.goto(url)
  await page.getByRole('textbox', { name: 'Name of the account' }).fill('Ana of Alpha')
  await page.getByRole('button', { name: 'Allow access' }).click()
  await expect(page).toHaveURL(/\/accounts\?connected=1$/)
  await expect(page.getByRole('main')).toContainText('Ana of Alpha')
  await expectWorkspace(page, 'Alpha')
})

test('a tab of a workspace that one has left does nothing elsewhere, and goes on in one’s own as a whole page', async ({
  page,
}) => {
  const { person, alpha, beta } = await aPersonOfTwo()
  const { user_id } = person
  await signIn(page, person)
  await page.goto(`/w/${alpha.slug}/suppressions`)
  await expect(page.getByRole('heading', { name: 'Suppressions', level: 1 })).toBeVisible()
  await db.member.deleteMany({ where: { workspace_id: alpha.workspace_id, user_id } })
  await db.userSession.updateMany({ where: { user_id }, data: { workspace_id: beta.workspace_id } })

  await suppress(page, 'stop@left-tab.example')
  await expect(page.getByText('You are not a member of').first()).toBeVisible()
  expect(await suppressed('stop@left-tab.example')).toEqual([])

  await page.keyboard.press('Escape')
  await go(page, 'Templates')
  await expect(page).toHaveURL(/\/templates$/)
  await expect(page.getByRole('main')).toContainText('Of Beta')
  await expectWorkspace(page, 'Beta')
})

test('the address of a workspace that one is not in is of nothing, and chooses nothing', async ({ page }) => {
  const { person, alpha } = await aPersonOfTwo()
  const stranger = await aPersonOfTwo()
  await signIn(page, person)
  await page.goto(`/w/${alpha.slug}/templates`)
  for (const slug of [stranger.alpha.slug, 'never-was', `${alpha.slug}%2F..`])
    expect((await page.goto(`/w/${slug}/templates`))?.status()).toBe(404)
  await page.goto('/templates')
  await expect(page.getByRole('main')).toContainText('Of Alpha')
})

test('a workspace that is made is the one that its page then shows', async ({ page }) => {
  const { person, alpha } = await aPersonOfTwo()
  await signIn(page, person)
  await page.goto(`/w/${alpha.slug}/settings/members`)
  await page.getByLabel('Name of the new workspace').fill('Gamma')
  await page.getByRole('button', { name: 'Create workspace' }).click()
  await expect(page.locator('input[name=name]')).toHaveValue('Gamma')
  await expectWorkspace(page, 'Gamma')
})

async function expectWorkspace(page: Page, name: string) {
  await page
    .getByRole('button', { name: /account$/ })
    .first()
    .click()
  const item = page.getByRole('menuitemradio', { name }).first()
  await expect(item).toHaveAttribute('aria-checked', 'true')
}
