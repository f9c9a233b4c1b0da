import { expect, type Page } from '@playwright/test'
import { db } from '#lib/db/client'
import { aPng } from '#tests/support/files/images'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

// One post from its first word to its metrics, and one for later, on the sandbox network.
test.describe.configure({ mode: 'serial' })

const SOON = { timeout: 150_000 }
const NEWS = 'We open our office in Lisbon.'
const LATER = 'Come and see us next week.'

let page: Page
let workspaceId: string
let userId: string

test.beforeAll(async ({ browser, baseURL }) => {
  const person = await aPerson()
  workspaceId = person.workspace_id
  userId = person.user_id
  page = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await signIn(page, person)
})
test.afterAll(async () => page.context().close())

const main = () => page.getByRole('main')

/** Repeated while the page is not hydrated: its counter shows how much it has received. */
const write = (text: string) =>
  expect(async () => {
    await main().getByRole('textbox', { name: 'Text' }).fill(text)
    await expect(main()).toContainText(`${text.length} of 3,000`, { timeout: 2000 })
  }).toPass()

/** Types while the page is shown but its scripts are held back; they load afterwards. */
async function writeEarly(path: string, text: string) {
  const scripts = '**/_next/static/**/*.js'
  const typed = Promise.withResolvers<void>()
  await page.route(scripts, async (route) => {
    await typed.promise
    await route.continue()
  })
  const opened = page.goto(path, { waitUntil: 'commit' })
  await main().getByRole('textbox', { name: 'Text' }).fill(text)
  typed.resolve()
  await opened
  // The counter is updated by the script: it shows how much the script has received.
  await expect(main()).toContainText(`${text.length} of 3,000`, SOON)
  await expect(main().getByRole('region', { name: 'Preview' })).toContainText(text)
  await expect(main().getByRole('textbox', { name: 'Text' })).toHaveValue(text)
  await page.unroute(scripts)
}

test('an account is connected, and what is written is counted and shown as a feed shows it', async () => {
  await page.goto('/accounts')
  await main().getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByLabel('Name of the account').fill('Petra Person')
  await page.getByRole('button', { name: 'Allow access' }).click()
  await expect(page).toHaveURL(/\/accounts\?connected=1/)

  await page.goto('/posts/new')
  await write(NEWS)
  const preview = main().getByRole('region', { name: 'Preview' })
  await expect(preview).toContainText('Petra Person')
  await expect(preview).toContainText(NEWS)
  await main()
    .locator('input[type=file]')
    .setInputFiles({
      name: 'lisbon.png',
      mimeType: 'image/png',
      buffer: Buffer.from(aPng({ width: 16, height: 16 })),
    })
  await expect(preview.locator('img')).toBeVisible()
})

test('it is published once, with its image, and its counts appear', async () => {
  await main().getByRole('button', { name: 'Publish' }).click()
  await expect(page).toHaveURL(/\/posts\/[0-9a-f-]{36}$/)
  const published = () => db.sandboxPost.findMany({ where: { workspace_id: workspaceId } })
  await expect.poll(async () => (await published()).length, SOON).toBe(1)
  expect((await published())[0]).toMatchObject({ text: NEWS })
  const { id } = await db.socialPost.findFirstOrThrow({ where: { workspace_id: workspaceId } })
  await expect(main()).toContainText('Published', SOON)
  // A day later the metrics are read; the test moves the post back in time instead of waiting.
  const at = (hours: number) => new Date(Date.now() - hours * 3_600_000)
  await db.socialPostMetrics.createMany({
    data: [2, 1].map((hours) => ({
      post_id: id,
      workspace_id: workspaceId,
      at: at(hours),
      impressions: 400 - hours * 100,
      reactions: 9 - hours,
      comments: 1,
      reposts: 0,
    })),
  })
  await db.socialPost.update({
    where: { id },
    data: { impressions: 300, reactions: 8, comments: 1, metrics_updated_at: at(1) },
  })
  await page.reload()
  await expect(main()).toContainText('300 at the last count.')
  await expect(main().getByRole('figure').first()).toBeVisible()
})

test('one for later stands in the calendar, and goes when it is deleted', async () => {
  await page.goto('/posts/new')
  await write(LATER)
  await main().getByRole('radio', { name: 'Later' }).check()
  const day = new Date(Date.now() + 172_800_000).toISOString().slice(0, 10)
  await main()
    .getByLabel(/^Time \(/)
    .fill(`${day}T09:30`)
  await main().getByRole('button', { name: 'Schedule' }).click()
  await expect(page).toHaveURL(/\/posts\/[0-9a-f-]{36}$/)
  await expect
    .poll(() => db.socialPost.count({ where: { workspace_id: workspaceId, status: 'scheduled' } }), SOON)
    .toBe(1)
  await page.goto(`/posts/calendar?month=${day.slice(0, 7)}`)
  await main()
    .getByRole('link', { name: new RegExp(LATER.slice(0, 12)) })
    .first()
    .click()
  await expect(page).toHaveURL(/\/posts\/[0-9a-f-]+$/)
  await main().getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete post' }).click()
  await expect(page).toHaveURL(/\/posts$/)
  await expect(main()).toContainText(NEWS)
  await expect(main()).not.toContainText(LATER)
})

test('what is typed before the page listens is kept', async () => {
  const { id } = await db.socialPost.create({
    data: { workspace_id: workspaceId, user_id: userId, text: NEWS },
  })
  // With an empty field, and with a text that the server rendered.
  await writeEarly('/posts/new', 'Typed at once.')
  await writeEarly(`/posts/${id}`, 'Written anew at once.')
  await db.socialPost.delete({ where: { id } })
})
