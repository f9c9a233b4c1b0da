import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { Template } from '#lib/contracts/messages/templates'
import { db } from '#lib/db/client'
import { aCampaign, aDataset, aTemplate } from '#tests/support/scenes/factories'
import { aPerson, type Person, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

test.describe.configure({ mode: 'serial' })

let page: Page
let person: Person
let directions: string
let campaign_id: string

async function named(name: string, body: string): Promise<string> {
  const { template_id } = await aTemplate(person, { body })
  await db.template.update({ where: { template_id }, data: { name } })
  return template_id
}

test.beforeAll(async ({ browser, baseURL }) => {
  person = await aPerson()
  const { dataset_id } = await aDataset(person, [
    { email: 'ada@offered.example', first_name: 'Ada', company: 'Quinn' },
  ])
  directions = await named('Directions', 'Turn left.')
  await named('Price list', 'For {{ company }}:\nnothing.')
  await named('Rich price', '<p>A <strong>price</strong> for {{ company }}.</p>\n<ul>\n<li>one</li>\n</ul>')
  await named('Table of prices', '<table><tr><td>1</td></tr></table>')
  const steps_config = [{ subject: 'Figures', message_template: '<p>Look:</p>' }]
  campaign_id = (await aCampaign(person, { dataset_id, steps_config })).campaign_id
  page = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await page.setViewportSize({ width: 1440, height: 1000 })
  await signIn(page, person)
})
test.afterAll(async () => page.context().close())

const field = () => page.getByRole('textbox', { name: 'Message' })
const offers = () => page.getByRole('listbox', { name: 'Templates' })
const options = () => offers().getByRole('option')
const keys = async (...pressed: string[]) => {
  for (const key of pressed) await page.keyboard.press(key)
}

test('in a template written as plain text / offers the others, and one undo takes what came back', async () => {
  await page.goto(`/templates/${directions}`)
  await expect(field()).toHaveAccessibleDescription(/^Type \/ for a template/)
  await field().focus()
  await keys('Control+End')
  await page.keyboard.type(' /')
  await expect(options()).toHaveText(['Price list', 'Rich price', 'Table of prices'])
  await expect(field()).toHaveAttribute('aria-activedescendant', /-0$/)
  await expect(field()).toHaveAttribute('aria-controls', (await offers().getAttribute('id')) ?? '')
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag22aa']).analyze()
  expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([])
  await keys('ArrowDown')
  await expect(options().nth(1)).toHaveAttribute('aria-selected', 'true')
  await expect(field()).toHaveAttribute('aria-activedescendant', /-1$/)

  // After Escape the list stays closed, and the typed letters stay.
  await keys('Escape')
  await expect(offers()).toBeHidden()
  await expect(field()).not.toHaveAttribute('aria-activedescendant')
  await page.keyboard.type('price l')
  await expect(field()).toHaveValue('Turn left. /price l')
  await expect(offers()).toBeHidden()

  // A slash within an address or a date opens no list; a later one does.
  await page.keyboard.type(' on 1/2, and/or https://price.example/price /price l')
  await expect(options()).toHaveText(['Price list'])
  const typed = 'Turn left. /price l on 1/2, and/or https://price.example/price '
  await keys('Enter')
  await expect(field()).toHaveValue(`${typed}For {{ company }}:\nnothing.`)
  await expect(field()).toBeFocused()
  await expect(offers()).toBeHidden()
  await keys('Control+z')
  await expect(field()).toHaveValue(`${typed}/price l`)
  await keys('Control+y')
  await expect(field()).toHaveValue(`${typed}For {{ company }}:\nnothing.`)

  // Rich text is inserted as plain text, and the list also opens at the beginning of a line.
  await keys('Enter')
  await page.keyboard.type('/rich')
  await options().filter({ hasText: 'Rich price' }).click()
  await expect(field()).toHaveValue(/nothing\.\nA price for \{\{ company \}\}\.\n\n- one$/)
  await page.getByRole('button', { name: 'Save template' }).click()
  await expect(page.getByText('Template saved.')).toBeVisible()
  const { content } = await db.template.findUniqueOrThrow({ where: { template_id: directions } })
  expect(Template.shape.content.parse(content).body.replaceAll('\r\n', '\n')).toMatch(
    /^Turn left\. [\s\S]+\/price For \{\{ company \}\}:\nnothing\.\nA price for \{\{ company \}\}\.\n\n- one$/,
  )
})

test('in the rich text of a step it comes with its looks and fields, in the line that it is asked for in', async () => {
  await page.goto(`/campaigns/${campaign_id}/sequence`)
  await expect(field()).toHaveAccessibleDescription('Type / for a template, {{ for a merge field.')
  await field().focus()
  await keys('Control+End')
  await page.keyboard.type(' 1/2 /price')
  await expect(options()).toHaveText(['Price list', 'Rich price', 'Table of prices'])
  await keys('ArrowDown', 'Tab')
  await expect(field().locator('strong')).toHaveText('price')
  await expect(field().locator('[data-liquid]')).toHaveText('company')
  await expect(field()).toBeFocused()
  await keys('Control+z')
  await expect(field()).toHaveText('Look: 1/2 /price')
  await expect(field().locator('strong')).toHaveCount(0)
  await keys('Control+y')
  await expect(field().locator('strong')).toHaveText('price')

  // Parts of a template that cannot be inserted are reported.
  await keys('Enter', 'Enter')
  await page.keyboard.type('/tab')
  await expect(options()).toHaveText(['Table of prices'])
  await keys('Enter')
  await expect(page.getByText('“Table of prices” was not inserted.')).toContainText('<table>')
  await expect(field()).toContainText('/tab')
  await keys('Backspace', 'Backspace', 'Backspace')
  await page.keyboard.type('direc')
  await expect(options()).toHaveText(['Directions'])
  await keys('Enter')
  await expect(field()).toContainText('Turn left.')
  await page.getByRole('button', { name: 'Save sequence' }).click()
  await expect(page.getByRole('main').getByText('Saved', { exact: true })).toBeVisible()
  const { steps_config } = await db.campaign.findUniqueOrThrow({ where: { campaign_id } })
  expect(JSON.stringify(steps_config)).toContain(
    JSON.stringify(
      '<p>Look: 1/2 A <strong>price</strong> for {{ company }}.</p>\n<ul>\n<li>one</li>\n</ul>\n<p>Turn left.',
    ).slice(1, -1),
  )
})

test('where there is no template, / is a /', async ({ page: other }) => {
  const newcomer = await aPerson()
  await signIn(other, newcomer)
  await other.goto('/templates/new')
  const message = other.getByRole('textbox', { name: 'Message' })
  await expect(message).not.toHaveAccessibleDescription(/template/)
  const asked = other.waitForResponse((response) => response.request().method() === 'POST')
  await message.fill('')
  await message.pressSequentially('/')
  await asked
  await message.pressSequentially('x')
  await other.keyboard.press('Enter')
  await expect(message).toHaveValue('/x\n')
  await expect(other.getByRole('listbox')).toBeHidden()
})
