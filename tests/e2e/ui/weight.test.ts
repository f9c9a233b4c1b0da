import { expect, type Page } from '@playwright/test'
import { db } from '#lib/db/client'
import { aCampaign, aDataset, anEnrolledLead } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

// Bytes are the same on every machine; times are not, and stand in no test.
const MOST_BYTES = 180 * 1024
const MOST_FONT_BYTES = 60 * 1024

const LISTS = [
  '/campaigns',
  '/datasets',
  '/templates',
  '/sender-profiles',
  '/mailboxes',
  '/accounts',
  '/domains',
  '/suppressions',
  '/webhooks',
  '/posts',
  '/personalize',
  '/inbox',
]

let page: Page
let workspace_id: string
let leadsPath: string
let rowsPath: string
let editorPath: string

test.beforeAll(async ({ browser, baseURL }) => {
  const person = await aPerson()
  workspace_id = person.workspace_id
  const { dataset_id } = await aDataset(person, [{ email: 'one@weight.example' }])
  const { campaign_id } = await aCampaign(person, { dataset_id, name: 'Weight' })
  await anEnrolledLead(person, { campaign_id, email: 'one@weight.example', lead_index: 0 })
  leadsPath = `/campaigns/${campaign_id}/leads`
  editorPath = `/campaigns/${campaign_id}/sequence`
  rowsPath = `/datasets/${dataset_id}`
  page = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await signIn(page, person)
})
test.afterAll(async () => page.context().close())

/** Bytes as they travel of files with this ending, all of what the page asks for until nothing more comes. */
async function loadedBytes(path: string, ending: '.js' | '.woff2'): Promise<number> {
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

test('neither a list nor the sequence editor loads more than 180 KB of script', async () => {
  const heavy: Record<string, number> = {}
  for (const path of [...LISTS, leadsPath, rowsPath, editorPath, `${editorPath}?view=picture`]) {
    const bytes = await loadedBytes(path, '.js')
    expect(bytes, `${path} was measured`).toBeGreaterThan(0)
    if (bytes > MOST_BYTES) heavy[path] = bytes
  }
  expect(heavy).toEqual({})
})

test('a page loads at most 60 KB of fonts, and letters of other scripts only where it shows them', async () => {
  const plain = await loadedBytes('/people', '.woff2')
  expect(plain).toBeGreaterThan(0)
  for (const path of [leadsPath, editorPath, '/api-keys', '/sandbox/mail'])
    expect(await loadedBytes(path, '.woff2'), path).toBeLessThanOrEqual(MOST_FONT_BYTES)
  const name = { first_name: 'Ольга', last_name: 'Şahin' }
  await db.person.create({ data: { workspace_id, email: 'olga@weight.example', ...name } })
  expect(await loadedBytes('/people', '.woff2')).toBeGreaterThan(plain)
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
