import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { aDataset } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

test('a pasted table is understood before it is saved, what is skipped is named, and a row is edited and removed', async ({
  page,
}) => {
  const person = await aPerson()
  const { dataset_id } = await aDataset(person, [{ email: 'ada@example.com', first_name: 'Ada' }])
  await signIn(page, person)
  await page.goto(`/datasets/${dataset_id}`)

  await page.getByRole('button', { name: 'Add rows' }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByRole('textbox', { name: 'Table' })
    .fill('Mail\tVorname\tTeam size\neve@example.com\tEve\t12\nADA@example.com\tAda\t3\nnobody\tNo\t1')
  await expect(dialog.getByLabel('Field for column Mail')).toHaveValue('email')
  await expect(dialog.getByLabel('Field for column Vorname')).toHaveValue('first_name')
  await dialog.getByRole('button', { name: 'Add 3 rows' }).click()
  await expect(dialog).toContainText('1 row added, 2 skipped')
  await expect(dialog).toContainText('There is no @ in it.')
  await dialog.getByRole('button', { name: 'Done' }).click()
  const added = await db.datasetRow.findFirstOrThrow({ where: { dataset_id, lead_index: 1 } })
  expect(added.data).toEqual({ email: 'eve@example.com', first_name: 'Eve', team_size: '12' })

  await page.getByRole('button', { name: 'Edit row 2' }).click()
  await dialog.getByLabel('First name').fill('Eva')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('cell', { name: 'Eva', exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Edit row 1' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Remove row' }).click()
  await expect(page.getByRole('cell', { name: 'ada@example.com' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Edit row 2' })).toBeVisible()
  expect(await db.datasetRow.count({ where: { dataset_id } })).toBe(1)
})
