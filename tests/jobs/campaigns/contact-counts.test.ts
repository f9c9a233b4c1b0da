import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import { readMigrations } from '#lib/db/migrate'
import { readWorkspaceAnalytics } from '#lib/services/campaigns/workspace-analytics'
import { aMailbox } from '#tests/support/scenes/factories'
import { twoCampaigns } from '#tests/support/scenes/launched'
import { WRONG_CONTACT_COUNTS } from '#tests/support/statements/contact-counts'

afterEach(async () => {
  await db.campaign.deleteMany()
})

const wrong = async () => (await pool().query(WRONG_CONTACT_COUNTS)).rows
const LEADS = 3
const HOURS = 96
const ACCOUNT = '01900000-0000-7000-8000-000000000001'

/** Two campaigns and two mailboxes. */
async function aScene() {
  const { owner, ids } = await twoCampaigns(LEADS)
  const senders = [await aMailbox(owner), await aMailbox(owner)].map(({ mailbox_id }) => mailbox_id)
  return { workspace_id: owner.workspace_id, ids, senders }
}
type Scene = Awaited<ReturnType<typeof aScene>>

const leads = fc.uniqueArray(fc.integer({ min: 0, max: LEADS - 1 }), { minLength: 1 })
const steps = fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1 })
const oneStep = fc.integer({ min: 1, max: 4 }).map((step) => [step])
const campaigns = fc.integer({ min: 1, max: 2 })
const acted = {
  campaigns,
  leads,
  steps,
  status: fc.constantFrom('sent', 'sent', 'sending', 'uncertain', 'failed', 'retry'),
  sender: fc.constantFrom(0, 1, 'account' as const, null),
  hour: fc.integer({ min: 0, max: HOURS - 1 }),
}
const statement = fc.oneof(
  fc.record({ does: fc.constant('offer' as const), ...acted }),
  fc.record({
    does: fc.constant('offer' as const),
    ...acted,
    steps: oneStep,
  }),
  fc.record({
    does: fc.constant('offer' as const),
    ...acted,
    campaigns: fc.constant(1),
    leads: fc.constant<number[]>([0]),
    steps: oneStep,
  }),
  fc.record({ does: fc.constant('change' as const), ...acted }),
  fc.record({ does: fc.constant('take back' as const), campaigns, leads, steps }),
  fc.record({
    does: fc.constant('move' as const),
    zone: fc.constantFrom('UTC', 'Pacific/Auckland', 'America/Los_Angeles', 'Asia/Kathmandu'),
  }),
)
type Statement = typeof statement extends fc.Arbitrary<infer T> ? T : never

const START = Date.UTC(2026, 2, 2)
const HOUR_MS = 3_600_000
const at = (hour: number) => new Date(START + hour * HOUR_MS)
const SET = [
  'status',
  'performed_at',
  'mailbox_id',
  'connected_account_id',
  'channel',
  'lease_until',
  'lease_owner',
]
const THESE = 'l.campaign_id = ANY ($1) AND l.lead_index = ANY ($2)'
// An action in flight has a lease and a worker. The steps of one lead are sent on different days.
const GIVEN = `(SELECT l.campaign_lead_id, l.campaign_id, l.workspace_id, step, $4::text::"ActionStatus" AS status,
    $5::timestamptz + (step - 1) * interval '26 hours' AS performed_at, $6::uuid AS mailbox_id, $7::uuid AS connected_account_id,
    CASE WHEN $7::uuid IS NULL THEN 'email' ELSE 'social' END AS channel,
    CASE WHEN $4 = 'sending' THEN $5::timestamptz END AS lease_until, CASE WHEN $4 = 'sending' THEN 'worker' END AS lease_owner
  FROM campaign_leads l, unnest($3::int[]) step WHERE ${THESE}) g`

/** Applies a statement to one campaign or both, and to several steps at once. */
async function run({ ids, senders, workspace_id }: Scene, one: Statement) {
  if (one.does === 'move')
    return db.workspace.update({ where: { workspace_id }, data: { timezone: one.zone } })
  const of = [ids.slice(0, one.campaigns), one.leads, one.steps]
  if (one.does === 'take back')
    return pool().query(
      `DELETE FROM actions a USING campaign_leads l
       WHERE l.campaign_lead_id = a.campaign_lead_id AND ${THESE} AND a.step = ANY ($3)`,
      of,
    )
  const mailbox = typeof one.sender === 'number' ? senders[one.sender] : null
  const account = one.sender === 'account' ? ACCOUNT : null
  const values = [...of, one.status, at(one.hour), mailbox, account]
  if (one.does === 'change')
    return pool().query(
      `UPDATE actions a SET ${SET.map((column) => `${column} = g.${column}`).join(', ')} FROM ${GIVEN}
       WHERE g.campaign_lead_id = a.campaign_lead_id AND g.step = a.step`,
      values,
    )
  return pool().query(
    `INSERT INTO actions (campaign_lead_id, campaign_id, workspace_id, step, action_type, ${SET.join(', ')})
     SELECT campaign_lead_id, campaign_id, workspace_id, step, 'email', ${SET.join(', ')} FROM ${GIVEN} ON CONFLICT DO NOTHING`,
    values,
  )
}

/** Leads that were sent something on the days from `first` to before `last`, according to the ledger. */
async function inLedger({ workspace_id }: Scene, from: string, to: string, sender: string | null) {
  const { rows } = await pool().query(
    `SELECT count(*) FILTER (WHERE status = 'sent')::int AS sent, count(DISTINCT campaign_lead_id)::int AS contacted
     FROM actions a JOIN workspaces w USING (workspace_id) WHERE workspace_id = $1 AND status IN ('sent', 'uncertain')
       AND (performed_at AT TIME ZONE w.timezone)::date BETWEEN $2 AND $3 AND ($4::uuid IS NULL OR mailbox_id = $4)`,
    [workspace_id, from, to, sender],
  )
  return rows[0]
}

const date = (day: number) =>
  at(24 * day)
    .toISOString()
    .slice(0, 10)
const span = fc.record({ first: fc.integer({ min: -1, max: 8 }), days: fc.integer({ min: 1, max: 5 }) })

test('whatever is written to the ledger, what is kept of it and what analytics say of any days is the same', async () => {
  const scene = await aScene()
  const spans = fc.array(span, { minLength: 2, maxLength: 2 })
  await fc.assert(
    fc.asyncProperty(fc.array(statement, { maxLength: 10 }), spans, async (statements, asked) => {
      for (const one of statements) {
        await run(scene, one)
        expect(await wrong()).toEqual([])
      }
      for (const { first, days } of asked)
        for (const sender of [null, scene.senders[0] ?? null]) {
          const [from, to] = [date(first), date(first + days - 1)]
          const query = { from, to, ...(sender && { sender_id: sender }) }
          const { totals, previous } = await readWorkspaceAnalytics(scene.workspace_id, query, new Date())
          expect(totals).toMatchObject(await inLedger(scene, from, to, sender))
          const before = await inLedger(scene, date(first - days), date(first - 1), sender)
          expect(previous).toMatchObject(before)
        }
    }),
    { numRuns: 40 },
  )
})

type Offer = Extract<Statement, { does: 'offer' }>
const offer = (fields: Partial<Offer> = {}): Offer => ({
  does: 'offer',
  campaigns: 2,
  leads: [0, 1],
  steps: [1, 2],
  status: 'sent',
  sender: 0,
  hour: 10,
  ...fields,
})

test('what is wrong is seen to be, and counted anew as the migration counts', async () => {
  const scene = await aScene()
  await run(scene, offer())
  // Two campaigns, counted by lead, by mail and by mailbox, on two days each.
  const groups = 2 * 3 * 2
  await pool().query('UPDATE contact_counts SET count = count + 1')
  expect(await wrong()).toHaveLength(groups)
  await pool().query('DELETE FROM contact_counts')
  expect(await wrong()).toHaveLength(groups)
  const migration = readMigrations().find(({ name }) => name.endsWith('_contact_counts'))
  await pool().query(migration?.sql.slice(migration.sql.lastIndexOf('SELECT recount_contacts')) ?? '')
  expect(await wrong()).toEqual([])
})

test('what is kept of a campaign goes with it', async () => {
  const scene = await aScene()
  const [first = '', second = ''] = scene.ids
  await run(scene, offer({ steps: [1] }))
  await db.campaign.delete({ where: { campaign_id: first } })
  const { rows } = await pool().query('SELECT DISTINCT campaign_id, count FROM contact_counts')
  expect(rows).toEqual([{ campaign_id: second, count: 2 }])
})

test('a zone that Postgres does not know holds no mail up: its days are those of UTC', async () => {
  const scene = await aScene()
  await run(scene, offer())
  await db.workspace.updateMany({ data: { timezone: 'Moon/Tranquility' } })
  await run(scene, offer({ leads: [2], hour: 30 }))
  await db.workspace.updateMany({ data: { timezone: 'UTC' } })
  expect(await wrong()).toEqual([])
})

test('two steps of a lead that are reported at once wait for each other, and neither is lost', async () => {
  const scene = await aScene()
  await run(scene, offer({ status: 'sending' }))
  const [first, second] = [await pool().connect(), await pool().connect()]
  const report = `UPDATE actions SET status = 'sent', lease_until = NULL, lease_owner = NULL
    WHERE campaign_id = ANY ($2) AND step = $1`
  try {
    await first.query('BEGIN')
    await first.query(report, [1, scene.ids])
    const other = second.query(report, [2, scene.ids])
    await first.query('SELECT pg_sleep(0.05)')
    await first.query('COMMIT')
    await other
  } finally {
    first.release()
    second.release()
  }
  expect(await wrong()).toEqual([])
})
