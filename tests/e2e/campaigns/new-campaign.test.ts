import { AxeBuilder } from '@axe-core/playwright'
import { expect } from '@playwright/test'
import { createClient } from '#lib/client/client'
import { db } from '#lib/db/client'
import { issueToken } from '#lib/services/workspaces/tokens'
import { aCampaign, aDataset, anAccount } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

test('what a campaign sends is chosen when it is made, and its sequence begins with such a step', async ({
  page,
  baseURL,
}) => {
  const person = await aPerson()
  await anAccount(person, { name: 'Petra on the network' })
  const { dataset_id } = await aDataset(person)
  const session = { filename: 'leads.csv', pipeline_type: null, status: 'completed' as const, leads_count: 3 }
  await db.datasetSession.create({ data: { ...session, dataset_id, workspace_id: person.workspace_id } })
  const client = createClient({
    base_url: baseURL ?? '',
    token: await issueToken(person.user_id, new Date()),
  })
  await signIn(page, person)
  const main = page.getByRole('main')
  const flow = page.getByRole('region', { name: 'Steps' })
  for (const { choice, type, step } of [
    { choice: 'Email', type: 'email', step: /^1\. Email/ },
    { choice: 'Social', type: 'social', step: /^1\. Invitation/ },
    { choice: 'Mixed', type: 'mixed', step: /^1\. Email/ },
  ]) {
    await page.goto('/campaigns/new')
    const steps = main.getByRole('group', { name: 'Steps' })
    await expect(steps.getByRole('radio', { name: /^Email/ })).toBeChecked()
    await main.getByLabel('Name').fill(`${choice} campaign`)
    await main.getByLabel('Leads').selectOption({ index: 1 })
    await steps.getByRole('radio', { name: new RegExp(`^${choice}`) }).check()
    if (type === 'social') expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
    await main.getByRole('button', { name: 'Create and write the first step' }).click()
    await expect(page).toHaveURL(/\/sequence$/)
    await expect(flow.getByRole('button', { name: step })).toBeVisible()
    await expect(main).not.toContainText('it must be mixed')
    const campaign_id = page.url().split('/').at(-2) ?? ''
    expect(await client.readCampaign({ params: { campaign_id } })).toMatchObject({
      type,
      // An invitation is complete without a text; a mail is not.
      steps_config: type === 'social' ? [{ action_type: 'connection_request' }] : [],
    })
  }

  // On a narrow screen, which shows one pane only, the editor is visible.
  const size = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  await expect(page.getByLabel('Subject')).toBeVisible()
  if (size) await page.setViewportSize(size)

  // A campaign that was created through the API, without a step.
  const { campaign_id } = await aCampaign(person, { type: 'social', steps_config: [] })
  await page.goto(`/campaigns/${campaign_id}/sequence`)
  await expect(flow.getByRole('button', { name: /^1\. Invitation/ })).toBeVisible()
  await expect(main).not.toContainText('it must be mixed')
})
