import { expect, type Page } from '@playwright/test'
import { aCampaign, aDataset, anEnrolledLead } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

// Bytes are the same on every machine; times are not, and stand in no test.
const MOST_BYTES = 180 * 1024

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
let leadsPath: string
let rowsPath: string
let editorPath: string

test.beforeAll(async ({ browser, baseURL }) => {
  const person = await aPerson()
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

/** Bytes of script as they travel, all of what the page asks for until nothing more comes. */
async function scriptBytes(path: string): Promise<number> {
  await page.goto(path, { waitUntil: 'networkidle' })
  return page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter((entry) => new URL(entry.name).pathname.endsWith('.js'))
      .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
  )
}

test('neither a list nor the sequence editor loads more than 180 KB of script', async () => {
  const heavy: Record<string, number> = {}
  for (const path of [...LISTS, leadsPath, rowsPath, editorPath]) {
    const bytes = await scriptBytes(path)
    expect(bytes, `${path} was measured`).toBeGreaterThan(0)
    if (bytes > MOST_BYTES) heavy[path] = bytes
  }
  expect(heavy).toEqual({})
})
