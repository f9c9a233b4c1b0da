import { expect } from '@playwright/test'
import { createClient } from '#lib/client/client'
import { db } from '#lib/db/client'
import { connectSandbox } from '#lib/services/senders/sandbox-mailbox'
import { issueToken } from '#lib/services/workspaces/tokens'
import { aDataset } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

/** Mail is sent once the engine is woken. */
const SOON = { timeout: 150_000 }

test('a lead that failed for an empty cell gets its step once the cell is filled', async ({
  page,
  baseURL,
}) => {
  const person = await aPerson()
  await signIn(page, person)
  await connectSandbox({ ...person, name: 'Petra' }, new Date())
  const { dataset_id } = await aDataset(person, [
    { email: 'whole@cells.example', first_name: 'Wilma' },
    { email: 'empty@cells.example', first_name: '' },
  ])
  const client = createClient({
    base_url: baseURL ?? '',
    token: await issueToken(person.user_id, new Date()),
  })
  const { campaign_id } = await client.createCampaign({
    body: {
      name: 'Cells',
      dataset_id,
      sending_window_start: '00:00',
      sending_window_end: '00:00',
      send_days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
      min_interval_seconds: 0,
      steps_config: [{ subject: 'Hello', message_template: 'Good morning, {{ first_name }}.' }],
    },
  })
  await client.launchCampaign({ params: { campaign_id }, body: {} })
  const statuses = async () => {
    const leads = await db.campaignLead.findMany({ where: { campaign_id }, orderBy: { lead_index: 'asc' } })
    return leads.map(({ status }) => status)
  }
  await expect.poll(statuses, SOON).toEqual(['completed', 'failed'])

  const main = page.getByRole('main')
  await page.goto(`/campaigns/${campaign_id}/leads?state=error`)
  await page.getByRole('link', { name: /empty@cells.example/ }).click()
  const panel = page.getByRole('dialog')
  await expect(panel).toContainText('Fill in the cell in its dataset, then try again.')
  await panel.getByRole('button', { name: 'Close' }).click()

  // Until the cell is filled the lead fails again, with the same message.
  const tryAgain = async () => {
    await main.getByRole('checkbox', { name: 'Select empty@cells.example' }).check()
    await main.getByRole('button', { name: 'Try 1 again', exact: true }).click()
    await expect(page.getByText('1 lead is tried again.').last()).toBeVisible()
  }
  await tryAgain()
  const failures = () => db.campaignEvent.count({ where: { campaign_id, kind: 'failed' } })
  expect(await failures()).toBe(1)
  await expect.poll(statuses, SOON).toEqual(['completed', 'failed'])

  await client.editDatasetRow({
    params: { dataset_id, lead_index: 1 },
    body: { data: { first_name: 'Edda' } },
  })
  await page.reload()
  await page.getByRole('link', { name: /empty@cells.example/ }).click()
  await panel.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('The lead is tried again.')).toBeVisible()
  await expect.poll(statuses, SOON).toEqual(['completed', 'completed'])
  const mail = await db.sandboxMessage.findFirstOrThrow({
    where: { workspace_id: person.workspace_id, rcpt_to: 'empty@cells.example' },
  })
  expect(Buffer.from(mail.raw).toString()).toContain('Good morning, Edda.')
})
