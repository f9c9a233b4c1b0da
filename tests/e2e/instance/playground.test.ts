import { expect } from '@playwright/test'
import { createClient } from '#lib/client/client'
import { issueToken } from '#lib/services/workspaces/tokens'
import { aDataset } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

const SLOW = { timeout: 150_000 }
const PROMPT = 'Ask whether they would like to see it.'

test('a campaign leads to the playground: a prompt is tried side by side, then taken; the hint stays dismissed', async ({
  page,
  baseURL,
}) => {
  const person = await aPerson()
  const { dataset_id } = await aDataset(person, 3)
  const client = createClient({
    base_url: baseURL ?? '',
    token: await issueToken(person.user_id, new Date()),
  })
  const { campaign_id } = await client.createCampaign({
    body: {
      name: 'Spring',
      dataset_id,
      type: 'mixed',
      steps_config: [
        { subject: 'First', message_template: 'Plain' },
        { delay_days: 1, subject: 'Hello', message_template: 'Hi', ai_personalization_enabled: true },
        {
          delay_days: 1,
          channel: 'social',
          action_type: 'message',
          message_template: 'Hi again',
          ai_personalization_enabled: true,
        },
      ],
    },
  })
  const kept = () => client.readCampaign({ params: { campaign_id } })
  await signIn(page, person)
  await page.goto(`/campaigns/${campaign_id}`)
  const hint = page.getByRole('link', { name: 'Try a prompt on a few leads' })
  await hint.click()
  await expect(page).toHaveURL(new RegExp(`/personalize/playground\\?campaign_id=${campaign_id}$`))
  await expect(page.getByLabel('Leads')).toHaveValue(dataset_id)
  await expect(page.getByLabel('Campaign')).toHaveValue(campaign_id)
  // The step is chosen from those that a model writes; without a campaign there is no step field.
  const step = page.getByLabel('Step', { exact: true })
  await expect(step.getByRole('option')).toHaveText(['Step 2 · Email · Hello', 'Step 3 · Message · Hi again'])
  await step.selectOption('Step 3 · Message · Hi again')
  await expect(page.getByText('The texts for the first three leads appear here')).toBeVisible()

  const first = page.getByRole('heading', { name: 'Lead0' })
  // A click before the page is hydrated does nothing, and typed text may then be lost.
  await expect(async () => {
    await page.getByLabel('Prompt').fill(PROMPT)
    await step.selectOption('Step 2 · Email · Hello')
    await page.getByRole('button', { name: 'Try on three leads' }).click()
    await expect(first).toBeVisible({ timeout: 20_000 })
  }).toPass(SLOW)
  for (const name of ['Lead1', 'Lead2']) await expect(page.getByRole('heading', { name })).toBeVisible()
  await expect(page.getByText('Offline writer', { exact: true })).toHaveCount(3)
  expect((await kept()).system_prompt).not.toBe(PROMPT)
  await page.getByRole('button', { name: 'Use as the campaign’s prompt' }).click()
  await expect(page.getByText('This is now the campaign’s prompt.')).toBeVisible(SLOW)
  expect((await kept()).system_prompt).toBe(PROMPT)

  await page.goto(`/campaigns/${campaign_id}`)
  await expect(hint).toBeVisible()
  await expect(async () => {
    const dismiss = page.getByRole('button', { name: 'Dismiss' })
    if (await dismiss.isVisible()) await dismiss.click()
    await expect(hint).toBeHidden({ timeout: 5_000 })
  }).toPass(SLOW)
  await expect.poll(async () => (await kept()).playground_discovery_dismissed_at, SLOW).not.toBeNull()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Setup' })).toBeVisible()
  await expect(hint).toBeHidden()
})
