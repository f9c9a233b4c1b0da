import pg, { type QueryConfig } from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import { db, pool } from '#lib/db/client'
import { activateCampaign, enrolLeads } from '#lib/services/launch/enrolment'
import { launchCampaign } from '#lib/services/launch/lifecycle'
import { dispatchDue } from '#lib/services/sending/run'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { aCampaign, aDataset, aMailbox, aUser } from '#tests/support/scenes/factories'

const MONDAY = new Date('2026-03-02T10:00:00.000Z')
const minutes = (count: number) => new Date(MONDAY.getTime() + count * 60_000)
const step = { subject: 'Hello {{ first_name }}', message_template: 'A word about {{ company }}.' }

afterEach(async () => {
  vi.restoreAllMocks()
  await db.campaign.deleteMany()
})

/** A campaign that sends one mail every ten minutes, and the number of statements in each dispatch round. */
async function paced(fields: Record<string, unknown> = {}) {
  const owner = await aUser()
  await aMailbox(owner)
  const { dataset_id } = await aDataset(owner, 3)
  const { campaign_id } = await aCampaign(owner, {
    dataset_id,
    steps_config: [step],
    sending_window_start: '00:00',
    sending_window_end: '00:00',
    daily_limit: 100,
    min_interval_seconds: 600,
    ...fields,
  })
  await launchCampaign(owner.workspace_id, campaign_id, null, MONDAY)
  await enrolLeads(campaign_id, MONDAY)
  await activateCampaign(campaign_id, MONDAY)
  const mail = memoryMail()
  const asked = vi.spyOn(pg.Client.prototype, 'query')
  const round = async (minute: number) => {
    asked.mockClear()
    const { offered } = await dispatchDue({ mail: mail.provider, clock: () => minutes(minute) })
    return { offered, statements: asked.mock.calls.length }
  }
  /** The statements of the last round, which are planned without the values of their parameters. */
  const texts = () =>
    asked.mock.calls.map(([query]: unknown[]) =>
      typeof query === 'string' ? query : (query as QueryConfig).text,
    )
  return { owner, campaign_id, round, texts }
}

test('a mail of a paced campaign costs 21 statements, and a round that finds nothing one', async () => {
  const { round } = await paced()
  expect(await round(0)).toEqual({ offered: 1, statements: 21 })
  expect(await round(5)).toEqual({ offered: 0, statements: 1 })
  expect(await round(15)).toEqual({ offered: 1, statements: 21 })
})

test('a claim reads the rows of its leads, and not those of all lists', async () => {
  const { owner, round, texts } = await paced()
  await aDataset(owner, 20_000)
  await pool().query('ANALYZE')
  expect((await round(0)).offered).toBe(1)
  const [claim = ''] = texts().filter((text) => text.includes('FROM dataset_rows r'))
  const { rows } = await pool().query(`EXPLAIN (GENERIC_PLAN) ${claim}`)
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('dataset_rows_pkey')
  expect(plan).not.toContain('Seq Scan on dataset_rows')
})

test('the last mail moves its campaign on all the same', async () => {
  const { campaign_id, round } = await paced({ steps_config: [step, { ...step, delay_days: 1 }] })
  const status = async () => (await db.campaign.findUniqueOrThrow({ where: { campaign_id } })).status
  for (const minute of [0, 15, 30]) {
    expect(await status()).toBe('active')
    expect((await round(minute)).offered).toBe(1)
  }
  expect(await status()).toBe('draining')
  for (const minute of [0, 15, 30]) expect((await round(24 * 60 + 15 + minute)).offered).toBe(1)
  expect(await status()).toBe('completed')
})
