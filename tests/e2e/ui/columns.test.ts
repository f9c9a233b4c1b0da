import { expect, type Page } from '@playwright/test'
import { db } from '#lib/db/client'
import { aCampaign, aDataset, anEnrolledLead } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

const heads = (page: Page, table: string) =>
  page.getByRole('table', { name: table }).getByRole('columnheader')
const open = async (page: Page) => {
  await page.getByRole('button', { name: 'Columns' }).click()
  return page.getByRole('dialog', { name: 'Columns' })
}

test('columns of a dataset are hidden and moved by the keyboard, come back, and stay away from other datasets', async ({
  page,
}) => {
  const person = await aPerson()
  const rows = [{ email: 'ada@example.com', first_name: 'Ada', company: 'Acme', seats: '12' }]
  const { dataset_id } = await aDataset(person, rows)
  const other = await aDataset(person, rows)
  await signIn(page, person)
  await page.goto(`/datasets/${dataset_id}`)
  const usual = ['#', 'email', 'first_name', 'company', 'seats']
  await expect(heads(page, 'Dataset leads')).toHaveText(usual)

  await page.getByRole('button', { name: 'Columns' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Columns' })
  const up = dialog.getByRole('button', { name: 'Move seats up' })
  await up.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(up).toBeFocused()
  await expect(dialog.getByRole('status')).toHaveText('seats: 2 of 4')
  await dialog.getByRole('button', { name: 'Move First name down' }).press('Enter')
  await expect(dialog.getByRole('button', { name: 'Move First name down' })).toBeFocused()
  await dialog.getByRole('checkbox', { name: 'First name' }).press('Space')
  await dialog.getByRole('button', { name: 'Show 3' }).press('Enter')
  await expect(heads(page, 'Dataset leads')).toHaveText(['#', 'email', 'seats', 'company'])
  await expect(page.getByRole('button', { name: 'Columns' })).toBeFocused()

  await page.reload()
  await expect(heads(page, 'Dataset leads')).toHaveText(['#', 'email', 'seats', 'company'])
  await page.getByRole('button', { name: 'Edit row 1' }).click()
  await expect(page.getByRole('dialog').getByLabel('First name')).toHaveValue('Ada')
  await page.goto(`/datasets/${other.dataset_id}`)
  await expect(heads(page, 'Dataset leads')).toHaveText(usual)

  await page.goto(`/datasets/${dataset_id}`)
  await (await open(page)).getByRole('button', { name: 'Reset' }).click()
  await dialog.getByRole('button', { name: 'Show 4' }).click()
  await expect(heads(page, 'Dataset leads')).toHaveText(usual)
})

test('leads are shown with cells of their rows, also those that are scrolled to, on a phone too', async ({
  page,
}) => {
  const person = await aPerson()
  const rows = Array.from({ length: 120 }, (_, place) => ({
    email: `lead-${place}@example.com`,
    company: `Company ${place}`,
  }))
  const { dataset_id } = await aDataset(person, rows)
  const { campaign_id } = await aCampaign(person, { dataset_id, name: 'Shown' })
  for (const [lead_index, data] of rows.entries())
    await anEnrolledLead(person, { campaign_id, email: data.email, lead_index })
  await db.campaign.update({
    where: { campaign_id },
    data: { total_leads: rows.length, status: 'completed', launched_at: new Date() },
  })
  await signIn(page, person)
  await page.goto(`/campaigns/${campaign_id}/leads`)
  const usual = ['Lead', 'Status', 'Step', 'Next', 'Last event']
  await expect(heads(page, 'Leads of the campaign')).toHaveText(usual)
  const dialog = await open(page)
  await dialog.getByRole('checkbox', { name: 'Company' }).check()
  await dialog.getByRole('checkbox', { name: 'Step' }).uncheck()
  await dialog.getByRole('button', { name: 'Move Company to the front' }).click()
  await dialog.getByRole('button', { name: 'Show 4' }).click()
  const chosen = ['Lead', 'Company', 'Status', 'Next', 'Last event']
  await expect(heads(page, 'Leads of the campaign')).toHaveText(chosen)
  await expect(page.getByRole('cell', { name: 'Company 3', exact: true })).toBeVisible()
  const list = page.getByRole('region', { name: 'Leads of the campaign' })
  await expect(async () => {
    await list.press('End')
    await expect(page.getByRole('cell', { name: 'Company 119' })).toBeVisible({ timeout: 5_000 })
  }).toPass()

  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/campaigns/${campaign_id}/leads`)
  await expect(page.getByRole('cell', { name: 'Company 3', exact: true })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('a view of people brings its columns for a colleague, whose own stay as they were', async ({
  page,
  browser,
}) => {
  const owner = await aPerson()
  const { workspace_id } = owner
  await db.person.create({
    data: { workspace_id, first_name: 'Ada', email: 'ada@acme.example', country: 'Spain', phone: '+34 1' },
  })
  const colleague = await aPerson()
  await db.member.create({ data: { workspace_id, user_id: colleague.user_id, role: 'member' } })
  await db.user.update({
    where: { user_id: colleague.user_id },
    data: { last_workspace_id: workspace_id },
  })
  await signIn(page, owner)
  await page.goto('/people?country=spain')
  const dialog = await open(page)
  await dialog.getByRole('button', { name: 'Select none' }).click()
  await expect(dialog.getByRole('button', { name: 'Show 0' })).toBeDisabled()
  await dialog.getByRole('checkbox', { name: 'Phone' }).check()
  await dialog.getByRole('checkbox', { name: 'Company' }).check()
  await dialog.getByRole('button', { name: 'Move Phone to the front' }).click()
  await dialog.getByRole('button', { name: 'Show 2' }).click()
  await expect(heads(page, 'People')).toHaveText([/Name$/, 'Phone', 'Company'])
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('To call')
  await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
  await expect(page.getByText('View saved for everybody')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Keep these columns' })).toHaveCount(0)

  const theirs = await (await browser.newContext()).newPage()
  await signIn(theirs, colleague)
  await theirs.goto('/people')
  const usual = [/Name$/, 'Company', 'Title', 'Tags', 'Last contacted', 'Replied']
  await expect(heads(theirs, 'People')).toHaveText(usual)
  await theirs.getByRole('link', { name: 'To call' }).click()
  await expect(heads(theirs, 'People')).toHaveText([/Name$/, 'Phone', 'Company'])
  await expect(theirs.getByRole('cell', { name: '+34 1' })).toBeVisible()

  const change = await open(theirs)
  await change.getByRole('checkbox', { name: 'Country' }).check()
  await change.getByRole('button', { name: 'Show 3' }).click()
  await expect(heads(theirs, 'People')).toHaveText([/Name$/, 'Phone', 'Company', 'Country'])
  await theirs.getByRole('button', { name: 'Keep these columns' }).click()
  await expect(theirs.getByText('The view shows these columns')).toBeVisible()
  const view = await db.view.findFirstOrThrow({ where: { workspace_id } })
  expect(view.columns).toEqual(['phone', 'company', 'country'])
  await theirs.goto('/people')
  await expect(heads(theirs, 'People')).toHaveText(usual)
  await theirs.context().close()
})

test('the list of campaigns shows when each was made to whoever asks for it', async ({ page }) => {
  const person = await aPerson()
  await aCampaign(person, { name: 'Spring' })
  await signIn(page, person)
  await page.goto('/campaigns')
  const dialog = await open(page)
  await expect(dialog.getByRole('checkbox', { name: 'Owner' })).toHaveCount(0)
  await dialog.getByRole('checkbox', { name: 'Created' }).check()
  await dialog.getByRole('checkbox', { name: 'Bounced' }).uncheck()
  await dialog.getByRole('button', { name: 'Show 7' }).click()
  await page.goto('/campaigns?sort=-created_at')
  await expect(heads(page, 'Campaigns').filter({ hasText: 'Bounced' })).toHaveCount(0)
  await expect(heads(page, 'Campaigns').filter({ hasText: 'Created' })).toHaveAttribute(
    'aria-sort',
    'descending',
  )
})

test('the rows of a dataset are sorted by a heading, in the address, up, down and as in the file', async ({
  page,
}) => {
  const person = await aPerson()
  const { dataset_id } = await aDataset(person, [
    { email: 'b@example.com', seats: '12' },
    { email: 'a@example.com', seats: '9' },
    { email: 'c@example.com', seats: null },
  ])
  await signIn(page, person)
  await page.goto(`/datasets/${dataset_id}`)
  const cells = page.getByRole('cell', { name: /@example\.com/ })
  const seats = heads(page, 'Dataset leads').filter({ hasText: 'seats' })
  await expect(cells).toHaveText(['b@example.com', 'a@example.com', 'c@example.com'])
  await seats.getByRole('link').click()
  await expect(cells).toHaveText(['a@example.com', 'b@example.com', 'c@example.com'])
  await expect(seats).toHaveAttribute('aria-sort', 'ascending')
  await seats.getByRole('link').click()
  await expect(page).toHaveURL(/sort=-seats/)
  await page.reload()
  await expect(cells).toHaveText(['b@example.com', 'a@example.com', 'c@example.com'])
  await seats.getByRole('link').click()
  await expect(page).not.toHaveURL(/sort/)
})
