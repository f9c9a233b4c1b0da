import { beforeAll, beforeEach, expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import { serveMetrics } from '#lib/http/metrics'
import { type Backfill, backfillRound } from '#lib/services/instance/backfills'
import { readDueWork } from '#lib/services/instance/due-work'

process.env.METRICS_TOKEN = 'a-token-of-the-tests'
const ROWS = 25
const BATCH = 10
const now = new Date('2027-01-01T12:00:00Z')
const round = (backfills: Record<string, Backfill>, batches = 100) => {
  let asked = 0
  // The clock is read twice for each batch.
  const clock = () => new Date(now.getTime() + Math.floor(asked++ / 2))
  return backfillRound({ pool: pool(), backfills, clock, until: new Date(now.getTime() + batches) })
}

/** A typical backfill: keyset pagination over the primary key, including rows that the previous version wrote. */
const doubles: Backfill = async (client, cursor) => {
  const { rows } = await client.query<{ id: number }>(
    `UPDATE things SET doubled = n * 2 WHERE id IN
       (SELECT id FROM things WHERE id > $1 ORDER BY id LIMIT ${BATCH} FOR UPDATE) RETURNING id`,
    [Number(cursor ?? 0)],
  )
  const last = Math.max(...rows.map(({ id }) => id))
  return { cursor: rows.length < BATCH ? null : String(last), rows: rows.length }
}

const stored = () => db.backfill.findUniqueOrThrow({ where: { name: 'doubles' } })
const undone = async () =>
  (await pool().query<{ n: number }>('SELECT count(*)::int AS n FROM things WHERE doubled IS NULL')).rows[0]
    ?.n

beforeAll(() => pool().query('CREATE TABLE things (id serial PRIMARY KEY, n int, doubled int)'))
beforeEach(async () => {
  await pool().query('TRUNCATE things RESTART IDENTITY; DELETE FROM backfills')
  await pool().query('INSERT INTO things (n) SELECT generate_series(1, $1)', [ROWS])
  await db.backfill.create({ data: { name: 'doubles', next_at: now } })
})

test('a backfill goes on where the last round ended, batch by batch, and is over once', async () => {
  expect(await round({ doubles }, 1)).toEqual({ goes_on: true })
  expect([await undone(), await stored()]).toMatchObject([
    15,
    { cursor: '10', rows_done: 10n, finished_at: null },
  ])
  expect(await round({ doubles })).toEqual({ goes_on: false })
  expect([await undone(), await stored()]).toMatchObject([0, { cursor: null, rows_done: 25n, error: null }])
  expect((await stored()).finished_at).not.toBeNull()
})

test('a batch that fails is undone, keeps why, and waits while others go on', async () => {
  await db.backfill.create({ data: { name: 'another', next_at: now } })
  const broken: Backfill = async (client, cursor) => {
    await doubles(client, cursor)
    throw new Error('no such thing')
  }
  expect(await round({ doubles: broken, another: async () => ({ cursor: null, rows: 0 }) })).toEqual({
    goes_on: false,
  })
  expect([await undone(), await stored()]).toMatchObject([ROWS, { cursor: null, error: 'no such thing' }])
  expect((await stored()).next_at.getTime()).toBeGreaterThan(now.getTime())
  expect(await db.backfill.count({ where: { finished_at: { not: null } } })).toBe(1)
})

test('two processes never work on one at once, and one that a version does not know is left to the other', async () => {
  expect(await round({})).toEqual({ goes_on: false })
  let most = 0
  let under_way = 0
  const counted: Backfill = async (client, cursor) => {
    most = Math.max(most, ++under_way)
    await new Promise((resolve) => setTimeout(resolve, 5))
    return doubles(client, cursor).finally(() => void under_way--)
  }
  await Promise.all([round({ doubles: counted }), round({ doubles: counted })])
  await round({ doubles: counted })
  expect([most, await undone(), (await stored()).rows_done]).toEqual([1, 0, 25n])
})

test('one that is open wakes the background work, and is counted for whoever watches', async () => {
  const due = async () => (await readDueWork(pool())).find(({ bell }) => bell === 'chores')?.due
  expect(await due()).toEqual(now)
  const scraper = { headers: { authorization: `Bearer ${process.env.METRICS_TOKEN}` } }
  const metrics = await serveMetrics(new Request('http://x/metrics', scraper))
  expect(await metrics.text()).toContain('opener_backfills_open 1')
  await round({ doubles })
  expect(await due()).toBeNull()
})
