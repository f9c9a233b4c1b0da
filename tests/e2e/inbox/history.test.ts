import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { aCampaign, aMailbox, anEnrolledLead } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { aQuestion } from '../support/questions.ts'
import { test } from '../support/test.ts'

const WIDE = { width: 1760, height: 900 }
const PHONE = { width: 390, height: 844 }

/** Ada, who asks for the price, is a lead of two campaigns, and has already replied to the other one. */
async function aKnownPerson() {
  const owner = await aPerson()
  const { workspace_id } = owner
  const { mailbox_id } = await aMailbox(owner)
  const email = 'ada@prices.test'
  const { person_id } = await db.person.create({
    data: { workspace_id, first_name: 'Ada', last_name: 'Quinn', email, tags: ['vip'] },
  })
  const threads = []
  for (const name of ['Spring', 'Autumn']) {
    const { campaign_id } = await aCampaign(owner, { name })
    const { campaign_lead_id } = await anEnrolledLead(owner, { campaign_id, email })
    await db.campaign.update({ where: { campaign_id }, data: { status: 'completed' } })
    const over = { status: 'replied', next_step: null, next_action_at: null } as const
    await db.campaignLead.update({ where: { campaign_lead_id }, data: { person_id, ...over } })
    const said = name === 'Spring' ? { text: 'Not this quarter.' } : {}
    const thread = await aQuestion({ workspace_id, mailbox_id }, said)
    const { thread_id } = thread
    await db.thread.update({ where: { thread_id }, data: { campaign_id, campaign_lead_id } })
    threads.push(thread)
  }
  const alone = await aQuestion({ workspace_id, mailbox_id, counterpart_address: 'eve@prices.test' })
  return { owner, person_id, path: threads[1]?.path ?? '', earlier: threads[0]?.thread_id ?? '', alone }
}

test('beside a conversation stands what passed with the person before, and leads on to it', async ({
  page,
}) => {
  const { owner, person_id, path, earlier } = await aKnownPerson()
  await page.setViewportSize(WIDE)
  await signIn(page, owner)
  await page.goto(path)
  const main = page.getByRole('main')
  await expect(main.getByRole('list', { name: 'Tags' })).toHaveText('vip')
  await expect(main.getByRole('link', { name: 'Spring', exact: true })).toBeVisible()
  await expect(main.getByText('Not this quarter.')).toBeVisible()
  await expect(main.getByRole('link', { name: 'History', exact: true })).toBeHidden()
  await expect(main.getByRole('link', { name: 'Open this person' })).toHaveAttribute(
    'href',
    `/people/${person_id}`,
  )
  await main.getByRole('link', { name: 'Another conversation' }).click()
  await expect(page).toHaveURL(new RegExp(earlier))
})

test('on a phone it opens over the conversation by a button, and closes to where it was', async ({
  page,
}) => {
  const { owner, path, alone } = await aKnownPerson()
  await page.setViewportSize(PHONE)
  await signIn(page, owner)
  await page.goto(path)
  await expect(page.getByText('Not this quarter.')).toBeHidden()
  await page.getByRole('link', { name: 'History', exact: true }).click()
  const panel = page.getByRole('dialog', { name: 'Ada Quinn' })
  await expect(panel.getByText('Not this quarter.')).toBeVisible()
  await expect(panel.getByRole('list', { name: 'Tags' })).toHaveText('vip')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(page).toHaveURL(({ pathname, search }) => pathname + search === path)

  await page.goto(alone.path)
  await expect(page.getByText('What does it cost?').last()).toBeVisible()
  await expect(page.getByRole('link', { name: 'History', exact: true })).toHaveCount(0)
})

test('on a phone a long conversation opens at its newest message, above the composer', async ({ page }) => {
  const owner = await aPerson()
  const { mailbox_id } = await aMailbox(owner)
  const { thread_id, path } = await aQuestion({ workspace_id: owner.workspace_id, mailbox_id })
  const from = { from_address: 'ada@prices.test', direction: 'in', kind: 'reply' } as const
  await db.inboxMessage.createMany({
    data: Array.from({ length: 6 }, (_, place) => ({
      workspace_id: owner.workspace_id,
      thread_id,
      ...from,
      subject: 'Re: Prices',
      text: `This is word ${place + 1}.\n${'And more of it.\n'.repeat(12)}`,
      at: new Date(Date.now() + (place + 1) * 1_000),
    })),
  })
  await page.setViewportSize(PHONE)
  await signIn(page, owner)
  await page.goto(path)
  const newest = page.getByText('This is word 6.')
  await expect(newest).toBeInViewport()
  const box = await newest.boundingBox()
  expect(box?.y).toBeLessThan(PHONE.height / 2)
  // Also when the conversation is opened from the list.
  await page.goto('/inbox')
  await page.getByRole('main').locator('[data-row-link]').first().click()
  await expect(page).toHaveURL(new RegExp(thread_id))
  await expect(newest).toBeInViewport()
  await expect(page.getByText('This is word 1.')).not.toBeInViewport()
})
