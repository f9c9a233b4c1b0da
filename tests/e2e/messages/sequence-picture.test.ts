import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { db } from '#lib/db/client'
import { aCampaign, anEnrolledLead } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

let page: Page
let person: Awaited<ReturnType<typeof aPerson>>

test.beforeAll(async ({ browser, baseURL }) => {
  person = await aPerson()
  page = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page, person)
})
test.afterAll(async () => page.context().close())

const main = () => page.getByRole('main')
const button = (name: string | RegExp) => main().getByRole('button', { name })
const flow = () => page.getByRole('region', { name: 'Steps' })

test('a step is copied into another campaign, and each change is taken back and done again', async () => {
  const steps_config = [
    {
      variants: [
        { subject: 'A', message_template: 'Text of A' },
        { subject: 'B', message_template: 'Text of B' },
      ],
    },
  ]
  const { campaign_id } = await aCampaign(person, { steps_config })
  await page.goto(`/campaigns/${campaign_id}/sequence`)
  const first = flow().getByRole('button', { name: /^1\. Email/ })
  await first.press('Control+c')
  await expect(page.getByText('Step 1 is copied.')).toBeVisible()
  const other = await aCampaign(person, {
    steps_config: [{ subject: 'Other', message_template: 'Another campaign.' }],
  })
  await page.goto(`/campaigns/${other.campaign_id}/sequence`)
  await first.press('Control+v')
  const pasted = flow().getByRole('button', { name: /^2\. Email/ })
  await expect(pasted).toBeFocused()
  await expect(pasted).toContainText('2 variants')
  await pasted.press('Control+z')
  await expect(flow().getByRole('listitem')).toHaveCount(1)
  await expect(main().getByText('Saved', { exact: true })).toBeVisible()
  await first.press('Control+y')
  await expect(flow().getByRole('listitem')).toHaveCount(2)
  await button('Undo').click()
  await expect(flow().getByRole('listitem')).toHaveCount(1)
  // While a field has the focus, the keys go to the field.
  await page.getByLabel('Subject').fill('Other words')
  await page.getByLabel('Days after the launch').fill('2')
  await button('Undo').click()
  await expect(page.getByLabel('Days after the launch')).toHaveValue('0')
  await expect(page.getByLabel('Subject')).toHaveValue('Other words')
  await button('Undo').click()
  await expect(page.getByLabel('Subject')).toHaveValue('Other')
  await expect(main().getByText('Saved', { exact: true })).toBeVisible()
})

test('the picture of a running campaign has its numbers at every line, and is walked and zoomed by keyboard', async () => {
  const steps_config = [
    { subject: 'One', message_template: 'The first word.', track_opens: true },
    { delay_days: 2, message_template: 'The second word.', condition: 'not_opened' },
    { delay_days: 4, message_template: 'The third word.' },
  ]
  const { campaign_id } = await aCampaign(person, { steps_config })
  const leads: { campaign_lead_id: string }[] = []
  for (const lead_index of [0, 1, 2])
    leads.push(
      await anEnrolledLead(person, { campaign_id, email: `p${lead_index}@sequence.example`, lead_index }),
    )
  for (const { campaign_lead_id } of leads.slice(0, 2))
    await db.action.create({
      data: {
        workspace_id: person.workspace_id,
        campaign_id,
        campaign_lead_id,
        ...{ step: 1, channel: 'email', action_type: 'email', status: 'sent', performed_at: new Date() },
      },
    })
  const place = (index: number, next_step: number) => ({
    where: { campaign_lead_id: leads[index]?.campaign_lead_id ?? '' },
    data: { next_step, current_step: next_step - 1 },
  })
  for (const [index, next] of [2, 2, 1].entries()) await db.campaignLead.update(place(index, next))
  await db.campaign.update({ where: { campaign_id }, data: { launched_at: new Date() } })

  await page.goto(`/campaigns/${campaign_id}/sequence`)
  await page.getByRole('group', { name: 'View' }).getByText('Picture', { exact: true }).click()
  await expect(page).toHaveURL(/\?view=picture$/)
  const picture = page.getByRole('region', { name: 'Sequence picture' })
  await expect(picture).toContainText('3 reached · 1 waiting')
  await expect(picture).toContainText('2 reached · 2 waiting')
  await expect(picture).toContainText('wait 2 days, if not opened')
  await expect(picture).toContainText('else skipped')
  const first = picture.getByRole('button', { name: /^1\. Email.*3 reached, 2 sent, 1 waiting/ })
  await first.focus()
  await page.keyboard.press('ArrowDown')
  const second = picture.getByRole('button', { name: /^2\. Email/ })
  await expect(second).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Step 2', exact: true })).toContainText('Step 2: Email')
  await expect(second).toHaveAttribute('aria-current', 'step')
  await button('Close the step').click()
  await expect(page.getByRole('region', { name: 'Step 2', exact: true })).toBeHidden()
  await second.focus()
  const before = (await second.boundingBox())?.width ?? 0
  await page.keyboard.press('-')
  await expect.poll(async () => (await second.boundingBox())?.width).toBeLessThan(before)
  await page.keyboard.press('+')
  await expect.poll(async () => (await second.boundingBox())?.width).toBe(before)
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag22aa']).analyze()
  expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([])

  await page.reload()
  await expect(picture).toContainText('3 reached')
  await page.setViewportSize({ width: 390, height: 800 })
  await expect(picture).toBeHidden()
  await expect(flow().getByRole('listitem')).toHaveCount(3)
  await page.setViewportSize({ width: 1440, height: 900 })
})
