import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { anEnrolledLead } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

test('a person is found by part of their name, tagged, and found by the tag; another address of theirs is merged', async ({
  page,
}) => {
  const owner = await aPerson()
  const { workspace_id } = owner
  const known = { workspace_id, last_name: 'Lovelace' }
  const work = await db.person.create({
    data: { ...known, first_name: 'Ada', email: 'ada@acme.example', title: 'Head of Sales' },
  })
  await db.person.create({ data: { ...known, first_name: 'A.', email: 'a.lovelace@home.example' } })
  await db.person.create({ data: { workspace_id, first_name: 'Bob', email: 'bob@acme.example' } })
  const { campaign_lead_id } = await anEnrolledLead(owner)
  await db.campaignLead.update({ where: { campaign_lead_id }, data: { person_id: work.person_id } })
  await signIn(page, owner)
  await page.goto('/people')

  const table = page.getByRole('table', { name: 'People' })
  await expect(table).toContainText('Bob')
  await page.getByRole('searchbox', { name: 'Search people' }).fill('da love')
  await expect(table).not.toContainText('Bob')
  await table.getByRole('link', { name: 'Ada Lovelace' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ada Lovelace')
  await expect(page.getByText('Nothing sent to them yet')).toBeVisible()

  await page.getByRole('button', { name: 'Edit the details' }).click()
  const edited = page.getByRole('dialog')
  await expect(edited.getByLabel('Title')).toHaveValue('Head of Sales')
  await edited.getByLabel('Title').fill('Sales director')
  await edited.getByLabel('First name').fill('Augusta')
  await edited.getByRole('button', { name: 'Save' }).click()
  await expect(edited).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Augusta Lovelace')
  await expect(page.getByText('Sales director').first()).toBeVisible()

  await page.getByLabel('New tag').fill('vip')
  await page.getByRole('button', { name: 'Add tag' }).click()
  await expect(page.getByRole('button', { name: 'Remove the tag vip' })).toBeVisible()

  await page.getByRole('searchbox', { name: 'Find the other person' }).fill('home.example')
  await page.getByRole('button', { name: 'Merge a.lovelace@home.example' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click()
  await expect(page.getByRole('button', { name: 'Split a.lovelace@home.example' })).toBeVisible()

  await page.goto('/people?sort=-name')
  await expect(table.getByRole('row').nth(1)).toContainText('Bob')
  await table.getByRole('columnheader', { name: 'Company' }).getByRole('link').click()
  await expect(page).toHaveURL(/sort=company/)

  await page.goto('/people?tag=vip')
  await expect(table.getByRole('row')).toHaveCount(2)
  await page.getByRole('link', { name: 'Tag: vip – remove' }).click()
  await expect(table).toContainText('Bob')
  await expect(table).not.toContainText('home.example')
})

test('filters become a view that a colleague opens, a file and a list for a campaign; the view is renamed, and deleted', async ({
  page,
  browser,
}) => {
  const owner = await aPerson()
  const { workspace_id } = owner
  await db.person.create({
    data: { workspace_id, first_name: 'Ada', email: 'ada@acme.example', country: 'Spain' },
  })
  await db.person.create({ data: { workspace_id, first_name: 'Bob', email: 'bob@acme.example' } })
  const colleague = await aPerson()
  await db.member.create({ data: { workspace_id, user_id: colleague.user_id, role: 'member' } })
  await db.user.update({
    where: { user_id: colleague.user_id },
    data: { last_workspace_id: workspace_id },
  })
  await signIn(page, owner)
  await page.goto('/people?country=spain')
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('In Spain')
  await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
  await expect(page.getByText('View saved for everybody')).toBeVisible()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  const csv = await readFile(await (await download).path(), 'utf8')
  expect(csv).toContain('ada@acme.example')
  expect(csv).not.toContain('bob@acme.example')

  const theirs = await (await browser.newContext()).newPage()
  await signIn(theirs, colleague)
  await theirs.goto('/people')
  const table = theirs.getByRole('table', { name: 'People' })
  await expect(table).toContainText('Bob')
  await theirs
    .getByRole('navigation', { name: 'Saved views' })
    .getByRole('link', { name: 'In Spain' })
    .click()
  await expect(theirs).toHaveURL(/country=spain/)
  await expect(table).not.toContainText('Bob')
  await theirs.context().close()

  await page.getByRole('button', { name: 'Rename view' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Spain')
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  // With the number of its people, one of two.
  await expect(page.getByRole('link', { name: 'Spain 1', exact: true })).toBeVisible()
  const contact = page.getByRole('navigation', { name: 'Contact' })
  await expect(contact.getByRole('link', { name: 'Never contacted 1', exact: true })).toBeVisible()
  await expect(contact.getByRole('link', { name: 'Replied 0', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Delete view' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete view' }).click()
  await expect(page.getByRole('navigation', { name: 'Saved views' })).toHaveCount(0)

  await page.goto('/people?country=spain')
  await page.getByRole('button', { name: 'Make a list' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Spanish leads')
  await page.getByRole('button', { name: 'Make list' }).click()
  await expect(page.getByRole('heading', { name: 'Spanish leads', level: 1 })).toBeVisible()
  await page.getByRole('link', { name: 'New campaign' }).click()
  await expect(page.getByRole('heading', { name: 'New campaign' })).toBeVisible()
  await expect(page.getByLabel('Leads')).toContainText('Spanish leads')
})

test('companies are sorted by what came of their people, and narrowed to those that replied', async ({
  page,
}) => {
  const owner = await aPerson()
  const { workspace_id } = owner
  for (const [domain, people] of [
    ['acme.example', 1],
    ['bolt.example', 3],
  ] as const) {
    const { company_id } = await db.company.create({ data: { workspace_id, domain } })
    await db.person.createMany({
      data: Array.from({ length: people }, (_, index) => ({
        workspace_id,
        company_id,
        email: `p${index}@${domain}`,
      })),
    })
  }
  const { campaign_lead_id } = await anEnrolledLead(owner)
  const { person_id } = await db.person.findFirstOrThrow({ where: { email: 'p0@acme.example' } })
  const over = { status: 'replied', next_step: null, next_action_at: null } as const
  await db.campaignLead.update({ where: { campaign_lead_id }, data: { person_id, ...over } })
  await signIn(page, owner)
  await page.goto('/companies')
  const table = page.getByRole('table', { name: 'Companies' })
  const first = table.getByRole('row').nth(1)
  await expect(first).toContainText('acme.example')
  await table.getByRole('columnheader', { name: 'People' }).getByRole('link').click()
  await expect(page).toHaveURL(/sort=-people_count/)
  await expect(first).toContainText('bolt.example')
  await page.getByRole('link', { name: 'Replied 1', exact: true }).click()
  await expect(table.getByRole('row')).toHaveCount(2)
  await expect(first).toContainText('acme.example')
  await expect(page).toHaveURL(/sort=-people_count/)

  // On a phone each row is a card, with its figures side by side.
  await page.setViewportSize({ width: 390, height: 844 })
  const figures = first.locator('[data-numeric]')
  await expect(figures).toHaveCount(3)
  const tops = await figures.evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().top))
  expect(new Set(tops).size).toBe(1)
})
