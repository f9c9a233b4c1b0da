import { expect, type Page } from '@playwright/test'
import { db } from '#lib/db/client'
import { aCampaign, aDataset, anEnrolledLead } from '#tests/support/scenes/factories'
import { aShowcase } from '#tests/support/scenes/showcase'
import { addressOf, SCREENS } from '#tests/support/screens'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

// Bytes are the same on every machine; times are not, and stand in no test.
const MOST_BYTES = 180 * 1024
const MOST_FONT_BYTES = 60 * 1024

/** Where messages are written: the editor with every part that a step can have. */
const MOST_EDITOR_BYTES = 186 * 1024
const isEditor = (at: string) => at.endsWith('/sequence')

/** Of those who are signed in; what stands where no page is, and the sheet of our own parts, are left out. */
const PAGES = SCREENS.filter(
  ({ isPublic, mayBeAbsent, route }) => !isPublic && !mayBeAbsent && route !== '/dev/ui',
).flatMap(({ at }) => at)

let page: Page
let workspace_id: string
let leadsPath: string
let editorPath: string

test.beforeAll(async ({ browser, baseURL }) => {
  const person = await aPerson()
  workspace_id = person.workspace_id
  const { dataset_id } = await aDataset(person, [{ email: 'one@weight.example' }])
  const { campaign_id } = await aCampaign(person, { dataset_id, name: 'Weight' })
  await anEnrolledLead(person, { campaign_id, email: 'one@weight.example', lead_index: 0 })
  leadsPath = `/campaigns/${campaign_id}/leads`
  editorPath = `/campaigns/${campaign_id}/sequence`
  page = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await signIn(page, person)
})
test.afterAll(async () => page.context().close())

/** Bytes as they travel of files with this ending, all of what the page asks for until nothing more comes. */
async function loadedBytes(page: Page, path: string, ending: '.js' | '.woff2'): Promise<number> {
  await page.goto(path, { waitUntil: 'networkidle' })
  return page.evaluate(
    (end) =>
      performance
        .getEntriesByType('resource')
        .filter((entry) => new URL(entry.name).pathname.endsWith(end))
        .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
    ending,
  )
}

test('no page loads more than 180 KB of script, nor the editor of sequences more than 186', async ({
  browser,
  baseURL,
}) => {
  test.setTimeout(600_000)
  const person = await aPerson()
  const ids = await aShowcase(person, new Date())
  const context = await browser.newContext({ baseURL: baseURL ?? '' })
  await signIn(await context.newPage(), person)
  const heavy: Record<string, number> = {}
  const left = PAGES.values()
  const measure = async () => {
    const visitor = await context.newPage()
    for (const at of left) {
      const bytes = await loadedBytes(visitor, addressOf(at, ids), '.js')
      expect(bytes, `${at} was measured`).toBeGreaterThan(0)
      if (bytes > (isEditor(at) ? MOST_EDITOR_BYTES : MOST_BYTES)) heavy[at] = bytes
    }
  }
  // Most of the time nothing more comes: one waits for it while others load.
  await Promise.all([measure(), measure(), measure()])
  await context.close()
  expect(heavy).toEqual({})
})

test('the editor of a plain sequence, as a list and as a picture, loads at most 180 KB of script', async () => {
  for (const path of [editorPath, `${editorPath}?view=picture`])
    expect(await loadedBytes(page, path, '.js'), path).toBeLessThanOrEqual(MOST_BYTES)
})

test('a page loads at most 60 KB of fonts, and letters of other scripts only where it shows them', async () => {
  const plain = await loadedBytes(page, '/people', '.woff2')
  expect(plain).toBeGreaterThan(0)
  for (const path of [leadsPath, editorPath, '/api-keys', '/sandbox/mail'])
    expect(await loadedBytes(page, path, '.woff2'), path).toBeLessThanOrEqual(MOST_FONT_BYTES)
  const name = { first_name: 'Ольга', last_name: 'Şahin' }
  await db.person.create({ data: { workspace_id, email: 'olga@weight.example', ...name } })
  expect(await loadedBytes(page, '/people', '.woff2')).toBeGreaterThan(plain)
})

test('a page is fetched ahead once somebody is about to follow a link to it, and not before', async () => {
  const ahead: string[] = []
  page.on('request', (asked) => {
    if (asked.headers()['next-router-prefetch']) ahead.push(new URL(asked.url()).pathname)
  })
  await page.goto('/campaigns', { waitUntil: 'networkidle' })
  expect(ahead).toEqual([])
  await page.getByRole('main').getByRole('link', { name: 'Weight' }).hover()
  await expect.poll(() => ahead).toContain(editorPath.replace('/sequence', ''))
})
