import { expect } from '@playwright/test'
import { contracts } from '#lib/contracts/all'
import { issueToken } from '#lib/services/workspaces/tokens'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

test('without scripts every operation is listed, and each has a page that says everything', async ({
  browser,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${process.env.OPENER_URL}/docs`)
  const list = page.getByRole('main')
  await expect(list.getByRole('heading', { name: 'API reference' })).toBeVisible()
  await expect(list.getByRole('listitem')).toHaveCount(contracts.length)
  await list.getByRole('link', { name: /Pause a campaign/ }).click()
  await expect(page).toHaveURL(/\/docs\/pauseCampaign$/)
  await expect(page.getByRole('heading', { name: 'Pause a campaign' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('campaign_id')
  await expect(page.getByLabel('Request in curl').first()).toContainText('/pause')
  await context.close()
})

test('an operation is found by typing, tried with a key of one’s own, and asks nobody else', async ({
  page,
  baseURL,
}) => {
  const elsewhere: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== baseURL) elsewhere.push(request.url())
  })
  const { user_id, workspace_id } = await aPerson()
  await page.goto('/docs')
  await page.getByLabel('Filter operations').filter({ visible: true }).fill('current user')
  await page.getByRole('navigation', { name: 'Operations' }).getByRole('link').first().click()
  await expect(page).toHaveURL(/\/docs\/readCurrentUser$/)
  await page.getByText('Python', { exact: true }).click()
  await expect(page.getByLabel('Request in Python').first()).toContainText('requests.get(')

  await page.getByLabel(/API key or token/).fill(await issueToken(user_id, new Date()))
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByLabel('Answer').first()).toContainText(workspace_id)
  expect(elsewhere).toEqual([])
})

test('what is filled in stands in the example, and a session is no credential of the API', async ({
  page,
}) => {
  await signIn(page, await aPerson())
  await page.goto('/docs/listCampaigns')
  await page.getByLabel('search', { exact: true }).fill('spring sale')
  await expect(page.getByLabel('Request in curl').first()).toContainText('search=spring+sale')
  await page.getByLabel(/API key or token/).fill('opn_live_of_nobody')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('status').filter({ hasText: '401' })).toBeVisible()
})

test('the command menu leads to an operation', async ({ page }) => {
  await signIn(page, await aPerson())
  await page.goto('/home')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('pause a campaign')
  await page.getByRole('option', { name: /Pause a campaign/ }).click()
  await expect(page).toHaveURL(/\/docs\/pauseCampaign$/)
})
