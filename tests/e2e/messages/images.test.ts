import { expect } from '@playwright/test'
import { Template } from '#lib/contracts/messages/templates'
import { db } from '#lib/db/client'
import { aPng } from '#tests/support/files/images'
import { aCampaign, aDataset } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

const CHART = {
  name: 'chart.png',
  mimeType: 'image/png',
  buffer: Buffer.from(aPng({ width: 30, height: 20 })),
}
const PAGE = { name: 'chart.png', mimeType: 'image/png', buffer: Buffer.from('<script>alert(1)</script>') }

test('an image is uploaded where a message is written, and whoever reads it sees it', async ({
  page,
  request,
}) => {
  const person = await aPerson()
  await aDataset(person, [{ email: 'ada@images.example', first_name: 'Ada' }])
  await signIn(page, person)
  await page.goto('/templates/new')
  await page.getByLabel('Name (required)').fill('With a chart')
  await page.getByLabel('Subject').fill('Figures')
  await page.getByText('Rich text', { exact: true }).click()
  const editor = page.getByRole('textbox', { name: 'Message' })
  await expect(page.getByRole('toolbar', { name: 'Formatting' })).toBeVisible()
  await editor.fill('Look: ')

  await page.getByRole('button', { name: 'Image', exact: true }).click()
  const row = page.getByRole('group', { name: 'Image' })
  const file = row.getByLabel('Upload an image')
  await file.setInputFiles(PAGE)
  await expect(row.getByRole('alert')).toHaveText('The file is not a PNG, JPEG, GIF or WebP image.')
  await expect(row.getByLabel('Image URL')).toHaveValue('')
  await file.setInputFiles(CHART)
  await expect(row.getByLabel('Image URL')).toHaveValue(/\/files\/images\/.+\.png$/)
  await expect(row.getByRole('alert')).toHaveCount(0)
  await row.getByLabel('Alt text: what the image shows').fill('Sales by month')
  await row.getByRole('button', { name: 'Insert image' }).click()
  const image = editor.getByRole('img', { name: 'Sales by month' })
  await expect.poll(() => image.evaluate((shown) => (shown as HTMLImageElement).naturalWidth)).toBe(30)

  // The address of an external image is used as it is.
  await page.getByRole('button', { name: 'Image', exact: true }).click()
  await row.getByLabel('Image URL').fill('images.example/logo.png')
  await row.getByRole('button', { name: 'Insert image' }).click()
  await page.getByRole('button', { name: 'Create template' }).click()
  await expect(page).toHaveURL(/\/templates(\?|$|\/[0-9a-f-]{36})/)
  const { workspace_id } = person
  const { content } = await db.template.findFirstOrThrow({ where: { workspace_id } })
  const { body } = Template.shape.content.parse(content)
  const [, url = ''] = /<img src="([^"]+)" alt="Sales by month"/.exec(body) ?? []
  expect(body).toContain('src="https://images.example/logo.png"')

  const shown = await request.get(new URL(url).pathname)
  expect([shown.status(), shown.headers()['content-type']]).toEqual([200, 'image/png'])
  expect(shown.headers()).toMatchObject({
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  expect(await shown.body()).toEqual(CHART.buffer)
})

test('an image of a step is uploaded where the sequence is written', async ({ page }) => {
  const person = await aPerson()
  const { dataset_id } = await aDataset(person, [{ email: 'ada@images.example', first_name: 'Ada' }])
  const html = { subject: 'Figures', message_template: '<p>Look: </p>' }
  const { campaign_id } = await aCampaign(person, { dataset_id, steps_config: [html] })
  await signIn(page, person)
  await page.goto(`/campaigns/${campaign_id}/sequence`)
  const editor = page.getByRole('textbox', { name: 'Message' })
  await editor.click()
  await page.getByRole('button', { name: 'Image', exact: true }).click()
  const row = page.getByRole('group', { name: 'Image' })
  await row.getByLabel('Upload an image').setInputFiles(CHART)
  await expect(row.getByLabel('Image URL')).toHaveValue(/\/files\/images\/.+\.png$/)
  await row.getByLabel('Alt text: what the image shows').fill('Sales by month')
  await row.getByRole('button', { name: 'Insert image' }).click()
  await expect(editor.getByRole('img', { name: 'Sales by month' })).toBeVisible()
  await page.getByRole('button', { name: 'Save sequence' }).click()
  await expect(page.getByRole('main').getByText('Saved', { exact: true })).toBeVisible()
  const { steps_config } = await db.campaign.findUniqueOrThrow({ where: { campaign_id } })
  expect(JSON.stringify(steps_config)).toMatch(/<img src=[^>]+\/files\/images\/[^>]+ alt=[^>]*Sales by month/)
})

test('an image is put in by its address with the keyboard alone, and kept as lean HTML', async ({ page }) => {
  const person = await aPerson()
  await aDataset(person, [{ email: 'ada@images.example', first_name: 'Ada' }])
  await signIn(page, person)
  await page.goto('/templates/new')
  const keys = async (...pressed: string[]) => {
    for (const key of pressed) await page.keyboard.press(key)
  }
  await page.getByLabel('Name (required)').focus()
  await page.keyboard.type('With a logo')
  await keys('Tab')
  await page.keyboard.type('Hello')
  await page.getByRole('radio', { name: 'Plain text' }).focus()
  await keys('ArrowRight')
  const editor = page.getByRole('textbox', { name: 'Message' })
  await expect(editor).toContainText('first_name or “there”')
  await editor.focus()
  await keys('Control+a')
  await page.keyboard.type('Made by ')

  await keys('Alt+F10', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft')
  await expect(page.getByRole('button', { name: 'Image', exact: true })).toBeFocused()
  await keys('Enter')
  const row = page.getByRole('group', { name: 'Image' })
  await expect(row.getByLabel('Image URL')).toBeFocused()
  // An address that no page can show is refused in the field, and Enter does not accept it.
  await page.keyboard.type('javascript:alert(1)')
  await expect(row.getByRole('alert')).toHaveText('Use an https or http image.')
  await keys('Enter')
  await expect(row).toBeVisible()
  await keys('Control+a')
  await page.keyboard.type('images.example/logo.png?a=1&b=2')
  await keys('Tab')
  await expect(row.getByLabel('Upload an image')).toBeFocused()
  await keys('Tab')
  await expect(row.getByLabel('Alt text: what the image shows')).toBeFocused()
  await page.keyboard.type('The logo of "Quinn"')
  await keys('Enter')
  await expect(row).toBeHidden()
  await expect(editor.getByRole('img', { name: 'The logo of "Quinn"' })).toBeAttached()
  await expect(editor).toBeFocused()
  await page.keyboard.type(' us.')

  await page.getByRole('button', { name: 'Create template' }).focus()
  await keys('Enter')
  await expect(page).toHaveURL(/\/templates(\?|$|\/[0-9a-f-]{36})/)
  const { content } = await db.template.findFirstOrThrow({ where: { workspace_id: person.workspace_id } })
  expect(Template.shape.content.parse(content).body).toBe(
    '<p>Made by <img src="https://images.example/logo.png?a=1&amp;b=2" alt="The logo of &quot;Quinn&quot;" style="max-width:100%;height:auto"> us.</p>',
  )
})
