import { expect, type Page } from '@playwright/test'
import { db } from '#lib/db/client'
import { aCampaign, aDataset, anEnrolledLead } from '#tests/support/scenes/factories'
import { loadedBytes } from '../support/loaded.ts'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

// Bytes are the same on every machine; times are not, so no test measures them.
const MOST_BYTES = 180 * 1024
const MOST_FONT_BYTES = 60 * 1024

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

/** All bytes that a page loads until the network is idle. */
async function readWeight(path: string, ending: '.js' | '.woff2'): Promise<number> {
  await page.goto(path, { waitUntil: 'networkidle' })
  return loadedBytes(page, ending)
}

test('the editor of a plain sequence, as a list and as a picture, loads at most 180 KB of script', async () => {
  for (const path of [editorPath, `${editorPath}?view=picture`])
    expect(await readWeight(path, '.js'), path).toBeLessThanOrEqual(MOST_BYTES)
})

test('a page loads at most 60 KB of fonts, and letters of other scripts only where it shows them', async () => {
  const plain = await readWeight('/people', '.woff2')
  expect(plain).toBeGreaterThan(0)
  for (const path of [leadsPath, editorPath, '/api-keys', '/sandbox/mail'])
    expect(await readWeight(path, '.woff2'), path).toBeLessThanOrEqual(MOST_FONT_BYTES)
  const name = { first_name: 'Ольга', last_name: 'Şahin' }
  await db.person.create({ data: { workspace_id, email: 'olga@weight.example', ...name } })
  expect(await readWeight('/people', '.woff2')).toBeGreaterThan(plain)
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
