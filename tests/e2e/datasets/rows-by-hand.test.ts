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

test('rows that are not added yet stay inside the dialog, when it is closed, and when the server is not reached', async ({
  page,
}) => {
  const person = await aPerson()
  const { dataset_id } = await aDataset(person, [{ email: 'ada@example.com', first_name: 'Ada' }])
  await signIn(page, person)
  await page.goto(`/datasets/${dataset_id}`)
  const dialog = page.getByRole('dialog')
  const open = () => page.getByRole('button', { name: 'Add rows' }).click()
  await open()
  const table = dialog.getByRole('textbox', { name: 'Table' })
  await table.fill(`Email\tFirst name\neve@example.com\t${'Eve'.repeat(100)}`)
  await expect(dialog.getByLabel('Field for column Email')).toBeVisible()
  const widths = await dialog.locator('[data-body]').evaluate((body) => [body.scrollWidth, body.clientWidth])
  expect(widths[0]).toBe(widths[1])

  await dialog.getByText('One at a time').click()
  await dialog.getByLabel('Email').fill('bob@example.com')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await open()
  await expect(dialog.getByLabel('Email')).toHaveValue('bob@example.com')
  await dialog.getByText('Paste a table').click()
  await expect(table).toHaveValue(/eve@example\.com/)

  const isSent = (url: URL) => url.pathname === `/datasets/${dataset_id}`
  await page.route(isSent, (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  )
  await dialog.getByRole('button', { name: 'Add 1 row' }).click()
  await expect(dialog.getByRole('alert')).toContainText('The server could not be reached.')
  await page.unroute(isSent)
  await dialog.getByRole('button', { name: 'Add 1 row' }).click()
  await expect(page.getByText('1 row added.')).toBeVisible()
  await open()
  await expect(table).toHaveValue('')
})

test('a cell is edited in its place by keys alone; what is wrong says so with the name of the column, and undo takes it back', async ({
  page,
}) => {
  const person = await aPerson()
  const { dataset_id } = await aDataset(person, [
    { email: 'ada@example.com', first_name: 'Ada', company: 'Acme' },
    { email: 'bob@example.com', first_name: 'Bob', company: 'Brick' },
  ])
  const cells = async (lead_index: number) =>
    (await db.datasetRow.findFirstOrThrow({ where: { dataset_id, lead_index } })).data
  await signIn(page, person)
  await page.goto(`/datasets/${dataset_id}`)
  const cell = (name: string) => page.getByRole('cell', { name, exact: true }).getByRole('button')

  await page.getByRole('button', { name: 'Edit row 1' }).focus()
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowDown', 'Enter'])
    await page.keyboard.press(key)
  const company = page.getByRole('textbox', { name: 'Company of row 2' })
  await expect(company).toHaveValue('Brick')
  await page.keyboard.press('Escape')
  await expect(cell('Brick')).toBeFocused()
  await page.keyboard.press('Enter')
  await company.fill('Bricks & Sons')
  await page.keyboard.press('Enter')
  await expect(cell('Bricks & Sons')).toBeFocused()
  expect(await cells(1)).toMatchObject({ company: 'Bricks & Sons', first_name: 'Bob' })
  await page.getByLabel('What just happened').getByRole('button', { name: 'Undo' }).click()
  await expect(cell('Brick')).toBeVisible()
  await expect.poll(() => cells(1)).toMatchObject({ company: 'Brick' })

  await cell('ada@example.com').click()
  const email = page.getByRole('textbox', { name: 'Email of row 1' })
  await email.fill('nobody')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'Email: ' })).toBeVisible()
  await expect(email).toHaveAttribute('aria-invalid', 'true')
  await email.fill('bob@example.com')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'address' })).toBeVisible()
  await email.fill('ada.l@example.com')
  await page.keyboard.press('Tab')
  const first = page.getByRole('textbox', { name: 'First name of row 1' })
  await expect(first).toBeFocused()
  await first.fill('')
  await page.keyboard.press('Enter')
  await expect(cell('Empty')).toBeFocused()
  expect(await cells(0)).toEqual({ email: 'ada.l@example.com', company: 'Acme' })
})

test('a cell that somebody changed meanwhile is not written over unseen, and a viewer edits none', async ({
  page,
  browser,
}) => {
  const person = await aPerson()
  const { dataset_id } = await aDataset(person, [{ email: 'ada@example.com', company: 'Acme' }])
  await signIn(page, person)
  await page.goto(`/datasets/${dataset_id}`)
  await page.getByRole('cell', { name: 'Acme' }).getByRole('button').click()
  const key = { dataset_id_lead_index: { dataset_id, lead_index: 0 } }
  const data = { email: 'ada@example.com', company: 'Theirs' }
  await db.datasetRow.update({ where: key, data: { data, version: { increment: 1 } } })
  const company = page.getByRole('textbox', { name: 'Company of row 1' })
  await company.fill('Mine')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'Someone else saved' })).toBeVisible()
  expect(await db.datasetRow.findUniqueOrThrow({ where: key })).toMatchObject({ data })
  await page.keyboard.press('Escape')
  await expect(page.getByRole('cell', { name: 'Theirs' })).toBeVisible()

  const viewer = await aPerson()
  const { workspace_id } = person
  await db.member.create({ data: { workspace_id, user_id: viewer.user_id, role: 'viewer' } })
  await db.user.update({ where: { user_id: viewer.user_id }, data: { last_workspace_id: workspace_id } })
  const theirs = await (await browser.newContext()).newPage()
  await signIn(theirs, viewer)
  await theirs.goto(`/datasets/${dataset_id}`)
  await expect(theirs.getByRole('cell', { name: 'Theirs' })).toBeVisible()
  await expect(theirs.getByRole('cell', { name: 'Theirs' }).getByRole('button')).toHaveCount(0)
  await theirs.context().close()
})
