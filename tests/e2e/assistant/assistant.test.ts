import { expect } from '@playwright/test'
import { createClient } from '#lib/client/client'
import { connectSandbox } from '#lib/services/senders/sandbox-mailbox'
import { issueToken } from '#lib/services/workspaces/tokens'
import { aDataset } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

test('the assistant says why a campaign is not sending, and resumes it once that is approved', async ({
  page,
  baseURL,
}) => {
  const person = await aPerson()
  await connectSandbox({ ...person, name: 'Petra' }, new Date())
  const { dataset_id } = await aDataset(person, [{ email: 'ada@acme.example', first_name: 'Ada' }])
  const token = await issueToken(person.user_id, new Date())
  const client = createClient({ base_url: baseURL ?? '', token })
  const { campaign_id } = await client.createCampaign({
    body: {
      name: 'Spring',
      dataset_id,
      // Tomorrow at the earliest, whenever the test runs: nothing is sent, so the campaign keeps its state.
      steps_config: [
        { delay_days: 2, subject: 'Hello', message_template: 'Hi {{ first_name | default: "you" }}' },
      ],
    },
  })
  await client.launchCampaign({ params: { campaign_id } })
  const status = async () => (await client.readCampaign({ params: { campaign_id } })).status
  await expect.poll(status, { timeout: 150_000 }).toBe('active')
  await client.pauseCampaign({ params: { campaign_id } })

  await signIn(page, person)
  await page.goto(`/campaigns/${campaign_id}`)
  await page.keyboard.press('Control+j')
  const panel = page.getByRole('dialog', { name: 'Assistant' })
  const said = panel.getByRole('list', { name: 'Conversation', exact: true })
  await panel.getByLabel('Message').fill('Why is “Spring” not sending?')
  await page.keyboard.press('Enter')
  await expect(said).toContainText('Spring is paused', { timeout: 150_000 })

  // A message that is entered during an answer waits in the field.
  const ready = panel.getByRole('button', { name: 'Send' })
  await expect(ready).toBeVisible({ timeout: 150_000 })
  await panel.getByLabel('Message').fill('resume “Spring”')
  await page.keyboard.press('Enter')
  const card = panel.getByLabel('Approval')
  await expect(card).toContainText('Resume “Spring”: 1 lead continues.', { timeout: 150_000 })
  await expect(card.getByText('campaign_id').first()).toBeHidden()
  await expect(ready).toBeVisible({ timeout: 150_000 })
  expect(await status()).toBe('paused')
  await card.getByRole('button', { name: 'Approve' }).click()
  await expect(said).toContainText('Spring is active', { timeout: 150_000 })
  await expect(card).toContainText('You approved this.')
  await expect(ready).toBeVisible({ timeout: 150_000 })
  expect(await status()).toBe('active')

  await panel.getByRole('button', { name: 'Close' }).click()
  await expect(panel).toBeHidden()
  await expect(page.getByText('Paused', { exact: true })).toBeHidden()
  await page.reload()
  await page.keyboard.press('Control+j')
  // The suggestions are about the page on which the panel was opened, and are answered without a model.
  await panel.getByRole('button', { name: 'When will it finish?' }).click()
  await expect(said).toContainText(/Spring has 1 actions? to come/, { timeout: 150_000 })
  await expect(ready).toBeVisible({ timeout: 150_000 })
  await panel.getByText('Past conversations').click()
  await panel.getByRole('button', { name: /^Why is “Spring”/ }).click()
  await expect(said).toContainText('Spring is active')
  await page.goto('/templates')
  await page.keyboard.press('Control+j')
  await expect(panel.getByRole('button', { name: 'List my campaigns' })).toBeVisible()
  await expect(panel.getByRole('button', { name: 'When will it finish?' })).toBeHidden()
})
