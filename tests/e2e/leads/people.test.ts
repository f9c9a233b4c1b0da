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
  await expect(page.getByText('Nothing was sent to them yet')).toBeVisible()

  await page.getByLabel('New tag').fill('vip')
  await page.getByRole('button', { name: 'Add tag' }).click()
  await expect(page.getByRole('button', { name: 'Remove the tag vip' })).toBeVisible()

  await page.getByRole('searchbox', { name: 'Find the other one' }).fill('home.example')
  await page.getByRole('button', { name: 'Merge a.lovelace@home.example' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click()
  await expect(page.getByRole('button', { name: 'Split a.lovelace@home.example' })).toBeVisible()

  await page.goto('/people?tag=vip')
  await expect(table.getByRole('row')).toHaveCount(2)
  await page.getByRole('link', { name: 'Tag: vip – remove' }).click()
  await expect(table).toContainText('Bob')
  await expect(table).not.toContainText('home.example')
})
