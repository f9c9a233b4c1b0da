import pg, { type PoolClient } from 'pg'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { db, pool } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'
import { claimDueCampaign } from '#lib/services/sending/claim'
import { lockDueCampaign } from '#lib/services/sending/load'
import { dispatchAt, FIRST, launched, MONDAY, minutes, SECOND, WATCHED } from '#tests/support/scenes/launched'

const DAY = 24 * 60

afterEach(async () => {
  vi.restoreAllMocks()
  await db.campaign.deleteMany()
})

/** The result of `work`, and how many leads each claim in it read. */
async function leadsReadBy<T>(work: () => Promise<T>) {
  const asked = vi.spyOn(pg.Client.prototype, 'query')
  const result = await work()
  const answers = asked.mock.calls.flatMap(([query]: unknown[], call) =>
    (query as { text?: string }).text?.includes('FROM dataset_rows r')
      ? [asked.mock.results[call]?.value]
      : [],
  )
  asked.mockRestore()
  const read = (await Promise.all(answers)).map(({ rows }: { rows: unknown[] }) => rows.length)
  return { result, read }
}

const setInterval = (campaign_id: string, min_interval_seconds: number) =>
  db.campaign.update({ where: { campaign_id }, data: { min_interval_seconds } })
const lookAt = (campaign_id: string, next_slot_at: Date) =>
  db.campaign.update({ where: { campaign_id }, data: { next_slot_at } })

test('of those who wait for their next step a claim reads the first, however many they are', async () => {
  const { campaign_id } = await launched({ steps_config: [FIRST, SECOND] }, 40)
  expect((await dispatchAt(MONDAY)).offered).toBe(40)
  await lookAt(campaign_id, minutes(5))
  const { result, read } = await leadsReadBy(() => dispatchAt(minutes(5)))
  expect(result.offered).toBe(0)
  expect(read).toEqual([1])
  const { next_slot_at } = await db.campaign.findUniqueOrThrow({ where: { campaign_id } })
  expect(next_slot_at).toEqual(minutes(DAY))
})

test('a worker that has room for two hundred reads ten new leads of a campaign with an interval', async () => {
  await launched({ min_interval_seconds: 60 }, 40)
  const claim = () => claimDueCampaign(pool(), 'test', MONDAY, 200)
  const { result, read } = await leadsReadBy(claim)
  expect(result?.actions).toHaveLength(1)
  expect(read).toEqual([10])
})

test('who has waited longest goes first, though few of those who are due are read', async () => {
  const { campaign_id } = await launched({ steps_config: [FIRST, SECOND] }, 8)
  await dispatchAt(MONDAY)
  await setInterval(campaign_id, 60)
  await pool().query(
    `UPDATE campaign_leads SET next_action_at = next_action_at - lead_index * interval '1 second' WHERE campaign_id = $1`,
    [campaign_id],
  )
  await lookAt(campaign_id, minutes(DAY))
  // The jitter is at most a quarter of the interval of one minute.
  for (let place = 0; place < 8; place++) expect((await dispatchAt(minutes(DAY + place * 2))).offered).toBe(1)
  const actions = await db.action.findMany({
    where: { campaign_id, step: 2 },
    orderBy: { performed_at: 'asc' },
    include: { lead: true },
  })
  expect(actions.map(({ lead }) => lead.lead_index)).toEqual([7, 6, 5, 4, 3, 2, 1, 0])
})

test('whom a campaign with an interval passes over costs no claim each', async () => {
  const opened = { ...SECOND, condition: 'opened' }
  const { campaign_id } = await launched({ steps_config: [WATCHED, opened] }, 30)
  await dispatchAt(MONDAY)
  await setInterval(campaign_id, 60)
  const { claims } = await dispatchAt(minutes(DAY))
  // Two leads at first, and then as many as a worker that has just started can take: eight.
  expect(claims).toBeLessThanOrEqual(6)
  expect(await db.action.count({ where: { campaign_id, step: 2, status: 'skipped' } })).toBe(30)
})

describe('of many campaigns that became due at one instant', () => {
  /** The ids of that many due campaigns, in order, besides ten thousand that are due in a year. */
  const manyDue = async (count: number) => {
    const { campaign_id } = await launched()
    await pool().query(
      `INSERT INTO campaigns (workspace_id, user_id, dataset_id, name, status, steps_config, send_days, launched_at, updated_at, next_slot_at)
       SELECT workspace_id, user_id, dataset_id, name, status, steps_config, send_days, launched_at, updated_at,
         next_slot_at + CASE WHEN n < $2 THEN interval '0' ELSE interval '1 year' END
       FROM campaigns c, generate_series(1, $2 + 9999) n WHERE c.campaign_id = $1`,
      [campaign_id, count],
    )
    await pool().query('VACUUM ANALYZE campaigns')
    const { rows } = await pool().query<{ campaign_id: string }>(
      'SELECT campaign_id FROM campaigns ORDER BY next_slot_at, campaign_id LIMIT $1',
      [count],
    )
    return rows.map((row) => row.campaign_id)
  }
  const rowsRead = async (client: PoolClient) => {
    const { rows } = await client.query<{ read: number }>(
      `SELECT (seq_tup_read + idx_tup_fetch)::int AS read FROM pg_stat_xact_user_tables WHERE relname = 'campaigns'`,
    )
    return rows[0]?.read ?? 0
  }
  /** The campaign that a worker locks, and how many campaigns were read for it. */
  const locked = async (client: PoolClient) => {
    const before = await rowsRead(client)
    const campaign = await lockDueCampaign(client, MONDAY)
    return { campaign_id: campaign?.campaign_id, read: (await rowsRead(client)) - before }
  }

  test('a claim reads the first', async () => {
    const [first] = await manyDue(400)
    const { campaign_id, read } = await inTransaction(pool(), locked)
    expect(campaign_id).toBe(first)
    expect(read).toBeLessThan(10)
  })

  test('whoever finds the first taken asks once for each of the others, and has none', async () => {
    await manyDue(400)
    await inTransaction(pool(), async (holder) => {
      await locked(holder)
      const { campaign_id, read } = await inTransaction(pool(), locked)
      expect(campaign_id).toBeUndefined()
      // Each campaign itself, and the first one of its workspace.
      expect(read).toBeLessThan(1_000)
    })
  })

  test('the second is first while the first is waited for elsewhere', async () => {
    const [first = '', second] = await manyDue(3)
    await inTransaction(pool(), async (client) => {
      expect((await lockDueCampaign(client, MONDAY, [first]))?.campaign_id).toBe(second)
    })
  })
})
