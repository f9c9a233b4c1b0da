import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { demoWorkbook } from '#lib/services/sandbox/demo-workbook'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

test('a messy file is judged before it is written: counts add up, reasons are named, refused rows can be taken along', async ({
  page,
}) => {
  const person = await aPerson()
  await signIn(page, person)
  const { filename, bytes, expected } = demoWorkbook()
  const refused = expected.rows - expected.kept
  const main = page.getByRole('main')
  const button = (name: string | RegExp) => main.getByRole('button', { name })

  await page.goto('/datasets/import')
  await page.locator('input[type=file]').setInputFiles({
    name: filename,
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: Buffer.from(bytes),
  })
  await button(`Check ${expected.rows} rows`).click()
  const check = page.getByRole('region', { name: 'Check' })
  await expect(check).toContainText(
    `${expected.rows} rows: ${expected.kept} kept, ${refused} refused. Nothing is saved yet.`,
  )
  await expect(check).toContainText('Correct the address')
  expect(await db.dataset.count({ where: { workspace_id: person.workspace_id } })).toBe(0)

  const download = page.waitForEvent('download')
  await check.getByRole('link', { name: 'Download' }).click()
  const before = await readFile(await (await download).path(), 'utf8')
  expect(before.trim().split('\r\n')).toHaveLength(refused + 1)

  // A change of the columns discards the check, which was made for other columns.
  const address = page.getByLabel('Field for column E-mail Address')
  await address.selectOption('')
  await expect(check).toHaveCount(0)
  await address.selectOption('email')
  await button(`Check ${expected.rows} rows`).click()

  await button(`Import ${expected.kept} leads`).click()
  await expect(page).toHaveURL(/\/datasets\/[0-9a-f-]{36}$/)
  await expect(main).toContainText(`${refused} rows were refused`, { timeout: 150_000 })
  const kept = await db.datasetRow.count({ where: { workspace_id: person.workspace_id } })
  const rejects = await db.datasetReject.findMany({ where: { workspace_id: person.workspace_id } })
  expect([kept, rejects.length]).toEqual([expected.kept, refused])
  for (const { reason } of rejects) expect(before).toContain(reason.replaceAll('"', '""'))
})

test('of a long file the columns are shown by its first rows, and how many rows it has once they are counted', async ({
  page,
}) => {
  await signIn(page, await aPerson())
  const main = page.getByRole('main')
  const rows = Array.from({ length: 1_500 }, (_, n) => `lead${n}@long.example,Lead ${n}\n`).join('')
  const release = Promise.withResolvers<void>()
  let previews = 0
  // The second preview is the one with row counts.
  await page.route('**/datasets/import', async (route) => {
    const isOfUpload = /^\["[0-9a-f-]{36}"\]$/.test(route.request().postData() ?? '')
    if (isOfUpload && ++previews === 2) await release.promise
    await route.continue()
  })
  await page.goto('/datasets/import')
  await page.locator('input[type=file]').setInputFiles({
    name: 'long.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`Email,Name\n${rows}`),
  })
  const check = main.getByRole('button', { name: /^Check / })
  await expect(check).toHaveText('Check all rows', { timeout: 20_000 })
  await expect(page.getByLabel('Field for column Email')).toHaveValue('email')
  release.resolve()
  await expect(check).toHaveText('Check 1,500 rows', { timeout: 20_000 })
  await expect(main).toContainText('1,500 of 1,500')
  await check.click()
  await expect(page.getByRole('region', { name: 'Check' })).toContainText('1,500 rows: 1,500 kept', {
    timeout: 20_000,
  })
})
