import pg from 'pg'
import { expect, test } from 'vitest'
import { pool } from '#lib/db/client'
import { env } from '#lib/env'
import { dispatchDue } from '#lib/services/sending/run'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { dispatchAt, FIRST, launched, MONDAY } from '#tests/support/scenes/launched'

test('a worker that began when the ledger was empty does not read it whole for what is in it', async () => {
  await launched({ steps_config: [FIRST] }, 600)
  const one = new pg.Pool({ connectionString: env().DATABASE_URL, max: 1 })
  try {
    const read = async () => {
      await one.query('SELECT pg_stat_force_next_flush()')
      const { rows } = await one.query<{ read: number }>(
        `SELECT seq_tup_read::int AS read FROM pg_stat_user_tables WHERE relname = 'actions'`,
      )
      return rows[0]?.read ?? 0
    }
    const before = await read()
    const { offered } = await dispatchDue({ mail: memoryMail().provider, clock: () => MONDAY, pool: one })
    expect(offered).toBe(600)
    expect((await read()) - before).toBe(0)
  } finally {
    await one.end()
  }
})

/** The largest number of rows that a join in a statement or its triggers compared without a match. */
async function comparedInVain(client: pg.Client, sql: string, values: unknown[]): Promise<number> {
  const plans: string[] = []
  const note = ({ message }: { message?: string }) => plans.push(message ?? '')
  client.on('notice', note)
  await client.query(sql, values)
  client.off('notice', note)
  expect(plans.some((plan) => plan.includes('Named Tuplestore Scan'))).toBe(true)
  const removed = plans.flatMap((plan) => [...plan.matchAll(/Rows Removed by Join Filter: (\d+)/g)])
  return Math.max(0, ...removed.map(([, rows]) => Number(rows)))
}

test.each([
  [
    'leads',
    `UPDATE campaign_leads SET status = 'skipped', next_step = NULL, next_action_at = NULL, next_action_type = NULL`,
  ],
  ['actions', `UPDATE actions SET status = 'uncertain'`],
])(
  'what counts changed %s takes as long as they are many, whatever its connection wrote before',
  async (_, sql) => {
    const { campaign_id } = await launched({ steps_config: [FIRST] }, 400)
    await dispatchAt(MONDAY)
    const client = new pg.Client(env().DATABASE_URL)
    await client.connect()
    try {
      await client.query(
        `LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_analyze = on; SET auto_explain.log_nested_statements = on; SET client_min_messages = log`,
      )
      const change = `${sql} WHERE campaign_lead_id IN (SELECT campaign_lead_id FROM campaign_leads WHERE campaign_id = $1 AND lead_index BETWEEN $2 AND $3)`
      // This run creates the cached plans.
      await comparedInVain(client, change, [campaign_id, 0, 0])
      expect(await comparedInVain(client, change, [campaign_id, 1, 399])).toBeLessThan(1_000)
    } finally {
      await client.end()
    }
  },
)

test('no function joins what was written with what was there but by a full join', async () => {
  const { rows } = await pool().query<{ name: string; source: string }>(
    `SELECT proname AS name, prosrc AS source FROM pg_proc WHERE prosrc LIKE '%new_rows%' AND prosrc LIKE '%old_rows%'`,
  )
  const joins = rows.flatMap(({ name, source }) =>
    [...source.matchAll(/(?:new|old)_rows \w+ (\w*) ?JOIN (?:new|old)_rows/g)].map(([, kind]) => [
      name,
      kind,
    ]),
  )
  expect(joins.map(([name]) => name).toSorted()).toEqual([
    'count_changed_actions',
    'count_changed_contacts',
    'count_changed_lead_groups',
    'count_changed_leads',
    'wake_after_lead',
  ])
  expect(joins.filter(([, kind]) => kind !== 'FULL')).toEqual([])
})
