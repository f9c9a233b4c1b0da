import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { aCampaign, aMailbox, anEnrolledLead } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

const SOON = { timeout: 30_000 }
const DAY_MS = 86_400_000

/** Ada is away and names Bob as her stand-in; earlier she named Cleo as the right person. */
async function anAnswer() {
  const owner = await aPerson()
  const { workspace_id } = owner
  const { mailbox_id } = await aMailbox(owner)
  const { campaign_id, dataset_id } = await aCampaign(owner)
  const { campaign_lead_id, email } = await anEnrolledLead(owner, { campaign_id })
  // Paused, so that an added lead waits.
  await db.campaign.update({ where: { campaign_id }, data: { status: 'paused', paused_from: 'active' } })
  const about = { workspace_id, mailbox_id }
  const { thread_id } = await db.thread.create({
    data: {
      ...about,
      campaign_id,
      campaign_lead_id,
      counterpart_address: email ?? '',
      counterpart_name: 'Ada Quinn',
      subject: 'Prices',
      unread: false,
      last_message_at: new Date(),
      last_direction: 'in',
      last_kind: 'reply',
      preview: 'Please write to Cleo Marsh.',
      message_count: 1,
    },
  })
  const said = await db.inboxMessage.create({
    data: {
      ...about,
      thread_id,
      direction: 'in',
      kind: 'reply',
      from_address: email ?? '',
      subject: 'Prices',
      text: 'Please write to Cleo Marsh (cleo@example.test).',
      at: new Date(),
      intent: 'referral',
      intent_by: 'model',
      intent_evidence: 'Please write to Cleo Marsh',
      referral_name: 'Cleo Marsh',
      referral_email: 'cleo@example.test',
    },
  })
  const { inbox_message_id: intent_message_id } = said
  await db.thread.update({ where: { thread_id }, data: { intent: 'referral', intent_message_id } })
  await db.absence.create({
    data: {
      workspace_id,
      email: (email ?? '').toLowerCase(),
      until: new Date(Date.now() + 5 * DAY_MS),
      said: 'I am on vacation.',
      deputy_email: 'bob@example.test',
      deputy_name: 'Bob Smith',
      noted_at: new Date(),
    },
  })
  return { owner, thread_id, dataset_id, intent_message_id }
}

test('whom an answer names is added as a lead by a click, and mailed by nobody', async ({ page }) => {
  const { owner, thread_id, dataset_id } = await anAnswer()
  await signIn(page, owner)
  await page.goto(`/inbox/${thread_id}`)
  const row = (email: string) => db.datasetRow.findFirst({ where: { dataset_id: dataset_id ?? '', email } })
  for (const [region, email, first_name] of [
    ['Absence', 'bob@example.test', 'Bob'],
    ['Intent', 'cleo@example.test', 'Cleo'],
  ] as const) {
    const note = page.getByRole('region', { name: region })
    await expect(note).toContainText(email)
    await expect(async () => {
      await note.getByRole('button', { name: 'Add as a lead' }).click({ timeout: 5_000 })
      expect((await row(email))?.data).toMatchObject({ first_name })
    }).toPass(SOON)
  }
  await expect(page.getByText('Added to the campaign.').first()).toBeVisible(SOON)
  expect(await db.action.count({ where: { workspace_id: owner.workspace_id } })).toBe(0)
})

test('an intent that was read wrongly is corrected with one key', async ({ page }) => {
  const { owner, thread_id, intent_message_id } = await anAnswer()
  await signIn(page, owner)
  await page.goto(`/inbox/${thread_id}`)
  const note = page.getByRole('region', { name: 'Intent' })
  await expect(note).toContainText('Detected by AI')
  await expect(async () => {
    await page.keyboard.press('2')
    await expect(note).toContainText('Set by a person', { timeout: 5_000 })
  }).toPass(SOON)
  const where = { inbox_message_id: intent_message_id }
  expect(await db.inboxMessage.findUniqueOrThrow({ where })).toMatchObject({
    intent: 'meeting',
    intent_by: 'person',
    intent_evidence: null,
  })
  expect(await db.thread.findUniqueOrThrow({ where: { thread_id } })).toMatchObject({ intent: 'meeting' })
})
