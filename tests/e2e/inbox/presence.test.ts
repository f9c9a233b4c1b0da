import { type Browser, expect, type Page } from '@playwright/test'
import { db } from '#lib/db/client'
import { aCampaign, aMailbox, anEnrolledLead } from '#tests/support/scenes/factories'
import { aPerson, type Person, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

const SOON = { timeout: 30_000 }

/** A conversation in the owner's workspace that is answered through the sandbox, and a second member of the workspace. */
async function aSharedInbox() {
  const [owner, colleague] = [await aPerson(), await aPerson()]
  const { workspace_id } = owner
  for (const [{ user_id }, name] of [
    [owner, 'Ana Meyer'],
    [colleague, 'Ben Okafor'],
  ] as const)
    await db.user.update({ where: { user_id }, data: { name, last_workspace_id: workspace_id } })
  await db.member.create({ data: { workspace_id, user_id: colleague.user_id, role: 'admin' } })
  const { mailbox_id } = await aMailbox(owner, { port: Number(process.env.SANDBOX_SMTP_PORT) })
  const { campaign_id } = await aCampaign(owner)
  const { campaign_lead_id } = await anEnrolledLead(owner, { campaign_id })
  const thread = await db.thread.create({
    data: {
      workspace_id,
      mailbox_id,
      campaign_id,
      campaign_lead_id,
      counterpart_address: 'ada@example.test',
      counterpart_name: 'Ada Quinn',
      subject: 'Prices',
      unread: false,
      last_message_at: new Date(),
      last_direction: 'in',
      last_kind: 'reply',
      preview: 'What does it cost?',
      message_count: 1,
    },
  })
  const { thread_id } = thread
  const from = { from_address: 'ada@example.test', from_name: 'Ada Quinn', subject: 'Prices' }
  const what = { direction: 'in', kind: 'reply', text: 'What does it cost?', at: new Date() } as const
  await db.inboxMessage.create({ data: { workspace_id, thread_id, mailbox_id, ...from, ...what } })
  return { owner, colleague, path: `/inbox/${thread_id}` }
}

async function inOwnBrowser(browser: Browser, baseURL: string | undefined, person: Person): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await signIn(page, person)
  return page
}

const field = (page: Page) => page.getByLabel('Answer Ada Quinn')
const present = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('status')
    .filter({ hasText: /Ana|Ben/ })

test('two members see each other answer, and whoever sends second is told of the first and decides', async ({
  browser,
  baseURL,
}) => {
  test.setTimeout(180_000)
  const { owner, colleague, path } = await aSharedInbox()
  const [ana, ben] = [
    await inOwnBrowser(browser, baseURL, owner),
    await inOwnBrowser(browser, baseURL, colleague),
  ]
  await ana.goto(path)
  await ben.goto(path)
  await expect(present(ben)).toHaveText(/Ana Meyer is viewing this/, SOON)
  await field(ana).fill('It costs nothing.')
  await expect(present(ben)).toHaveText(/Ana Meyer is answering/, SOON)
  await expect(present(ana)).toHaveText(/Ben Okafor is viewing this/, SOON)

  // From here on Ben's page gets no updates, as if Ana answered before its next poll.
  await ben.route('**/live/**', (route) => route.abort())
  await field(ben).fill('I will ask.')
  await ana.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(ana.getByRole('article').last()).toContainText('It costs nothing.', SOON)
  await ben.getByRole('button', { name: 'Send', exact: true }).click()
  const alert = ben.getByRole('main').getByRole('alert')
  await expect(alert).toContainText(/Ana Meyer has a reply here .*\. Nothing was sent\./, SOON)
  await expect(ben.getByRole('article').last()).toContainText('It costs nothing.')
  await expect(field(ben)).toHaveValue('I will ask.')
  await expect(ben.getByRole('button', { name: 'Send anyway' })).toBeVisible()
  await field(ben).press('Control+Enter')
  await expect(ben.getByRole('article').last()).toContainText('I will ask.', SOON)
  await expect(alert).toBeHidden()

  // A message that arrives while somebody types does not count as seen.
  await ben.unroute('**/live/**')
  await ben.goto(path)
  await field(ben).fill('One thing more.')
  await expect(ana.getByRole('article').last()).toContainText('I will ask.', SOON)
  await field(ana).fill('And thank you.')
  await ana.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(ben.getByRole('button', { name: 'Send anyway' })).toBeVisible(SOON)
  await expect(ben.getByRole('main')).toContainText('A newer message came while you were writing.')
  await ana.goto('/inbox')
  await expect(ana.locator('[data-row-link]')).toContainText('Ben Okafor is answering', SOON)
  await ben.goto('/home')
  await expect(ana.locator('[data-row-link]')).not.toContainText('Ben Okafor', SOON)
  for (const page of [ana, ben]) await page.context().close()
})
