import { afterEach, expect, test } from 'vitest'
import { ExportWorkspaceAnalytics } from '#lib/contracts/campaigns/workspace-analytics'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'
import { dispatchAt, launched, launchedFor, MONDAY } from '#tests/support/scenes/launched'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

const DAYS = { from: '2026-03-01', to: '2026-03-03' }
const linesOf = (csv: string) => csv.replace('\uFEFF', '').trimEnd().split('\r\n')

test('the table has what the page shows, and no name of it is run as a formula', async () => {
  const { owner, campaign_id } = await launched({ name: '=HYPERLINK("http://evil.example","Look")' })
  const other = await launchedFor(owner, { name: 'Two, with a comma' }, 2)
  await dispatchAt(MONDAY)

  const { text, status, headers } = await call(ExportWorkspaceAnalytics, { as: owner, query: DAYS })
  expect(status).toBe(200)
  expect(headers.get('content-disposition')).toContain('Analytics%202026-03-01%20to%202026-03-03.csv')
  const lines = linesOf(text)
  expect(lines[0]).toBe(
    'group,id,name,sent,contacted,replied,reply_rate,reply_rate_low,reply_rate_high,bounced,bounce_rate,unsubscribed,hours',
  )
  expect(lines.find((line) => line.startsWith('total,'))).toMatch(
    /^total,,2026-03-01 to 2026-03-03,5,5,0,0,0,0\.\d+,0,0,0,$/,
  )
  expect(lines).toContain('day,,2026-03-02,5,,0,,,,0,,0,')
  expect(lines.filter((line) => line.startsWith('time_to_reply,'))).toHaveLength(10)
  expect(lines.find((line) => line.includes(campaign_id))).toContain(
    `,"'=HYPERLINK(""http://evil.example"",""Look"")",3,3,`,
  )
  expect(lines.find((line) => line.includes(other.campaign_id))).toContain(',"Two, with a comma",2,2,')
})

test('it has the filters of the page, and nothing of others', async () => {
  const { owner, campaign_id } = await launched()
  await launchedFor(owner, {}, 2)
  await dispatchAt(MONDAY)
  const read = async (as: typeof owner, query: Record<string, string>) =>
    linesOf((await call(ExportWorkspaceAnalytics, { as, query: { ...DAYS, ...query } })).text)
  const own = await read(owner, { campaign_id })
  expect(own.filter((line) => line.startsWith('campaign,'))).toHaveLength(1)
  expect(own.find((line) => line.startsWith('total,'))).toContain(',3,3,0,')
  const strange = await read(await aUser(), { campaign_id })
  expect(strange.filter((line) => line.startsWith('campaign,'))).toEqual([])

  const xlsx = await call(ExportWorkspaceAnalytics, { as: owner, query: { ...DAYS, format: 'xlsx' } })
  expect(xlsx.headers.get('content-type')).toContain('spreadsheetml')
  const query = { from: '2026-03-04', to: '2026-03-01' }
  expect((await call(ExportWorkspaceAnalytics, { as: owner, query })).status).toBe(422)
})
