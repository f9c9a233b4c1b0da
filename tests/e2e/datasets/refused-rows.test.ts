import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { aDataset } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

test('refused rows are corrected in their place and imported; what is still wrong says so and stays', async ({
  page,
}) => {
  const person = await aPerson()
  const { workspace_id } = person
  const { dataset_id } = await aDataset(person, [{ email: 'ada@example.com', first_name: 'Ada' }])
  const refused = { workspace_id, dataset_id, code: 'invalid_email', reason: 'There is no @ in it.' }
  for (const [row_number, name] of [
    [7, 'Cleo'],
    [9, 'Bob'],
  ] as const)
    await db.datasetReject.create({
      data: {
        ...refused,
        row_number,
        cell: `A${row_number}`,
        column_name: 'email',
        value: name.toLowerCase(),
        data: { first_name: name },
      },
    })
  await db.dataset.update({ where: { dataset_id }, data: { reject_count: 2 } })
  await signIn(page, person)
  await page.goto(`/datasets/${dataset_id}/rejects`)
  const main = page.getByRole('main')
  const cell = (row: number) => main.getByRole('textbox', { name: `email of row ${row}` })

  await main.getByRole('link', { name: 'Value' }).click()
  await expect(page).toHaveURL(/sort=value/)
  await expect(main.getByRole('row').nth(1)).toContainText('Bob')

  await cell(9).fill('bob@example.com')
  await cell(7).fill('cleo at example')
  await main.getByRole('button', { name: 'Import 2 rows' }).click()
  await expect(page.getByText('1 row imported.')).toBeVisible()
  await expect(cell(9)).toHaveCount(0)
  await expect(cell(7)).toHaveValue('cleo at example')
  await expect(cell(7)).toHaveAttribute('aria-invalid', 'true')

  await cell(7).fill('cleo@example.com')
  await cell(7).press('Enter')
  await expect(main).toContainText('No rows refused')
  const rows = await db.datasetRow.findMany({ where: { dataset_id }, orderBy: { lead_index: 'asc' } })
  expect(rows.map(({ email, data }) => [email, data])).toEqual([
    ['ada@example.com', { email: 'ada@example.com', first_name: 'Ada' }],
    ['bob@example.com', { email: 'bob@example.com', first_name: 'Bob' }],
    ['cleo@example.com', { email: 'cleo@example.com', first_name: 'Cleo' }],
  ])
})
