import { expect } from '@playwright/test'
import { aDataset } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

test('the duplicates of a list stand behind a chip with their number, and in the address', async ({
  page,
}) => {
  const person = await aPerson()
  await aDataset(person, [{ email: 'ada@example.com' }])
  const { dataset_id } = await aDataset(person, [
    { email: 'ada@example.com' },
    { email: 'bob@example.com' },
    { email: 'bob@example.com' },
  ])
  await signIn(page, person)
  await page.goto(`/datasets/${dataset_id}`)
  const chips = page.getByRole('navigation', { name: 'Duplicates' })
  await expect(chips.getByRole('link')).toHaveText([
    'All3',
    'Duplicates in this dataset1',
    'Also in another dataset1',
  ])
  await chips.getByRole('link', { name: 'Also in another dataset' }).click()
  await expect(page).toHaveURL(/also_in=other_dataset/)
  await expect(page.getByRole('cell', { name: 'bob@example.com' })).toHaveCount(0)
  await expect(page.getByRole('cell', { name: 'ada@example.com' })).toHaveCount(1)
  await chips.getByRole('link', { name: 'Duplicates in this dataset' }).click()
  await expect(page).toHaveURL(/also_in=earlier_row/)
  await expect(chips.getByRole('link', { name: 'Duplicates in this dataset' })).toHaveAttribute(
    'aria-current',
    'true',
  )
})
