import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { Template } from '#lib/contracts/messages/templates'
import { db } from '#lib/db/client'
import { aDataset } from '#tests/support/scenes/factories'
import { aPerson, type Person, signIn } from '../support/people.ts'
import { atRest, test } from '../support/test.ts'

test.describe.configure({ mode: 'serial' })

let page: Page
let person: Person
const complaints: string[] = []

test.beforeAll(async ({ browser, baseURL }) => {
  person = await aPerson()
  await aDataset(person, [{ email: 'ada@writing.example', first_name: 'Ada', company: 'Sequence & Co' }])
  page = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) complaints.push(message.text())
  })
  await page.setViewportSize({ width: 1440, height: 1000 })
  await signIn(page, person)
})
test.afterAll(async () => page.context().close())

const editor = () => page.getByRole('textbox', { name: 'Message' })
const preview = () => page.getByRole('region', { name: 'Preview' })
const keys = async (...pressed: string[]) => {
  for (const key of pressed) await page.keyboard.press(key)
}
const stored = () =>
  db.template
    .findFirstOrThrow({ where: { workspace_id: person.workspace_id } })
    .then(({ content }) => Template.shape.content.parse(content).body)

test('a rich text is written by the keyboard alone, and kept as lean HTML', async () => {
  await page.goto('/templates/new')
  await page.getByLabel('Name (required)').focus()
  await page.keyboard.type('Rich')
  await keys('Tab')
  await page.keyboard.type('Hello')
  await page.getByRole('radio', { name: 'Plain text' }).focus()
  await keys('ArrowRight')
  await expect(editor()).toContainText('first_name or “there”')
  await editor().focus()
  await keys('Control+End')
  // The browser reports a moved caret with a short delay.
  await atRest(page)
  await keys('Enter')
  await page.keyboard.type('our ')
  await keys('Control+b')
  await page.keyboard.type('two')
  await keys('Control+b')
  await page.keyboard.type(' reasons for {comp')
  await expect(page.getByRole('option', { name: 'company' })).toBeVisible()
  await keys('Enter')
  await expect(page.getByRole('listbox')).toBeHidden()
  await page.keyboard.type(' and {{ nobody }}:')
  await keys('Enter')
  await page.keyboard.type('- one')
  await keys('Enter')
  await page.keyboard.type('see ')
  await keys('Control+k')
  await page.keyboard.type('example.com/two')
  await keys('Enter')
  await expect(editor().locator('[title="No lead has this field"]')).toHaveText('nobody')
  await expect(editor()).toBeFocused()

  // The toolbar is one tab stop, and the arrow keys move within it.
  await keys('Alt+F10')
  await expect(page.getByRole('button', { name: 'Bold (Ctrl+B)' })).toBeFocused()
  await keys('ArrowRight')
  await expect(page.getByRole('button', { name: 'Italic (Ctrl+I)' })).toBeFocused()
  await keys('Escape')
  await expect(editor()).toBeFocused()
  await page.getByRole('button', { name: 'Create template' }).focus()
  await keys('Enter')
  await expect(page).toHaveURL(/\/templates(\?|$|\/[0-9a-f-]{36})/)
  expect((await stored()).replaceAll('\r\n', '\n')).toEqual(
    [
      '<p>Hi {{ first_name | default: "there" }},</p>',
      '<p>our <strong>two</strong> reasons for {{ company }} and {{ nobody }}:</p>',
      '<ul>',
      '<li>one</li>',
      '<li>see <a href="https://example.com/two">https://example.com/two</a></li>',
      '</ul>',
    ].join('\n'),
  )
})

test('what is delivered is shown wide, narrow, dark and plain', async () => {
  const { template_id } = await db.template.findFirstOrThrow({ where: { workspace_id: person.workspace_id } })
  const body = '<p>Hi <strong>{{ first_name }}</strong> of {{ company }}</p>'
  await db.template.update({ where: { template_id }, data: { content: { subject: 'Hello', body } } })
  await page.goto(`/templates/${template_id}`)
  for (const view of ['Desktop', 'Phone', 'Dark']) {
    await preview().getByText(view, { exact: true }).click()
    const shown = page.frameLocator('iframe')
    await expect(shown.locator('strong')).toHaveText('Ada')
    await expect(shown.locator('p')).toHaveText('Hi Ada of Sequence & Co')
    const { width = 0 } = (await page.locator('iframe').boundingBox()) ?? {}
    expect([view, width <= 360]).toEqual([view, view === 'Phone'])
    const ink = await shown.locator('p').evaluate((element) => getComputedStyle(element).color)
    // The text colour matches its background: dark on white, light on black.
    expect([view, ink]).toEqual([view, view === 'Dark' ? 'rgb(255, 255, 255)' : 'rgb(0, 0, 0)'])
  }
  await preview().getByText('Plain', { exact: true }).click()
  await expect(preview()).toContainText('Hi Ada of Sequence & Co')
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag22aa']).analyze()
  expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([])
})

test('rich, plain and back; what the editor cannot hold is asked about; and what was written is kept', async () => {
  await page.getByText('Plain text', { exact: true }).click()
  await expect(page.locator('textarea[name=body]')).toHaveValue('Hi {{ first_name }} of {{ company }}')
  await expect(page.getByText('Formatting and images were removed')).toBeVisible()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(editor().locator('strong')).toBeVisible()
  await page.getByText('HTML', { exact: true }).click()
  await page.locator('textarea[name=body]').fill('<table><tr><td>{{ first_name }}</td></tr></table>')
  await page.getByText('Rich text', { exact: true }).click()
  await expect(page.getByText('It would remove: <table>')).toBeVisible()
  await page.getByRole('button', { name: 'Open without them' }).click()
  await expect(editor()).toContainText('first_name')
  await editor().focus()
  await page.keyboard.type('Kept ')
  await page.waitForFunction(() => JSON.stringify(localStorage).includes('Kept '))
  page.once('dialog', (dialog) => dialog.accept())
  await page.reload()
  await expect(editor()).toContainText('Kept')
})

test('what a word processor leaves on the clipboard comes in without its litter', async () => {
  await editor().focus()
  await page.keyboard.press('Control+a')
  await editor().evaluate((element) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData(
      'text/html',
      `<html xmlns:o="urn:x"><head><style>p.MsoNormal{color:red}</style></head><body><!--StartFragment-->
       <p class=MsoNormal style='margin:0'><b>Dear</b> <span style="font-family:Arial">{{ first_name }}</span><o:p></o:p></p>
       <p class=MsoListParagraphCxSpFirst style='mso-list:l0'><![if !supportLists]><span style='mso-list:Ignore'>·<span>&nbsp;&nbsp;</span></span><![endif]>one</p>
       <p class=MsoListParagraphCxSpLast><span style='mso-list:Ignore'>·</span>two</p>
       <img src="file:///c:/x.png"><script>1</script><!--EndFragment--></body></html>`,
    )
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await page.getByText('HTML', { exact: true }).click()
  await expect(page.locator('textarea[name=body]')).toHaveValue(
    '<p><strong>Dear</strong> {{ first_name }}</p>\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>',
  )
  expect(complaints).toEqual([])
})
