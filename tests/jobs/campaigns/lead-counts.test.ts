import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import { readMigrations } from '#lib/db/migrate'
import { aCampaign, aDataset, aUser } from '#tests/support/scenes/factories'
import { WRONG_LEAD_COUNTS, WRONG_LEAD_ENDINGS } from '#tests/support/statements/lead-counts'

afterEach(async () => {
  await db.campaign.deleteMany()
})

const LEADS = 4

async function wrong() {
  const counts = await pool().query(WRONG_LEAD_COUNTS)
  const endings = await pool().query(WRONG_LEAD_ENDINGS)
  return [...counts.rows, ...endings.rows]
}

/** Two campaigns over one dataset, without leads. */
async function twoCampaigns() {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, LEADS)
  const ids: string[] = []
  for (const _ of [1, 2]) ids.push((await aCampaign(owner, { dataset_id })).campaign_id)
  return ids
}

const STATUSES = ['pending', 'active', 'completed', 'skipped', 'failed', 'replied', 'bounced', 'unsubscribed']
const leads = fc.uniqueArray(fc.integer({ min: 0, max: LEADS - 1 }), { minLength: 1 })
const minute = fc.integer({ min: 0, max: 59 })
const step = fc.integer({ min: 1, max: 3 })
const stood = {
  leads,
  status: fc.constantFrom(...STATUSES),
  step,
  past: fc.integer({ min: 0, max: 2 }),
  minute,
}
const acted = {
  leads,
  step,
  minute,
  status: fc.constantFrom('sending', 'sent', 'uncertain', 'failed', 'skipped', 'retry'),
  does_in: fc.constantFrom('email', 'message', 'visit_profile'),
}
const statement = fc.oneof(
  fc.record({ does: fc.constant('enrol' as const), ...stood }),
  fc.record({ does: fc.constant('move' as const), ...stood }),
  fc.record({ does: fc.constant('move' as const), ...stood }),
  fc.record({ does: fc.constant('offer' as const), ...acted }),
  fc.record({ does: fc.constant('change' as const), ...acted }),
  fc.record({ does: fc.constant('take back' as const), leads, step }),
  fc.record({
    does: fc.constant('log' as const),
    leads,
    minute,
    channel: fc.constantFrom('email', 'social'),
  }),
  fc.record({ does: fc.constant('remove' as const), leads }),
)
type Statement = typeof statement extends fc.Arbitrary<infer T> ? T : never

const toChannel = (action: string) => (action === 'email' ? 'email' : 'social')
const at = (minute: number) => new Date(Date.UTC(2026, 2, 2, 9, minute))
const NEXT = `CASE WHEN $3 IN ('pending', 'active') THEN $4::int END`
const MOVED = `status = $3::text::"LeadStatus", next_step = ${NEXT}, current_step = $5, last_event_at = $6::timestamptz`
// An action in flight has a lease and a worker.
const LEASE = [
  `CASE WHEN $4 = 'sending' THEN $5::timestamptz END`,
  `CASE WHEN $4 = 'sending' THEN 'worker' END`,
]
const THESE = 'l.campaign_id = ANY ($1) AND l.lead_index = ANY ($2)'

/** Applies a statement to both campaigns at once, as a batch of reports does. */
async function run(ids: string[], one: Statement) {
  const of = [ids, one.leads]
  switch (one.does) {
    case 'enrol':
      return pool().query(
        `INSERT INTO campaign_leads (campaign_id, workspace_id, dataset_id, lead_index, status, next_step, current_step, last_event_at)
         SELECT campaign_id, c.workspace_id, dataset_id, lead_index, $3::text::"LeadStatus", ${NEXT}, $5, $6::timestamptz
         FROM campaigns c JOIN dataset_rows USING (dataset_id) WHERE campaign_id = ANY ($1) AND lead_index = ANY ($2)
         ON CONFLICT (campaign_id, lead_index) DO UPDATE SET last_event_at = excluded.last_event_at`,
        [...of, one.status, one.step, one.past, at(one.minute)],
      )
    case 'move':
      return pool().query(`UPDATE campaign_leads l SET ${MOVED} WHERE ${THESE}`, [
        ...of,
        one.status,
        one.step,
        one.past,
        at(one.minute),
      ])
    case 'offer':
      return pool().query(
        `INSERT INTO actions (campaign_lead_id, campaign_id, workspace_id, step, status, performed_at, channel, action_type,
           lease_until, lease_owner)
         SELECT campaign_lead_id, campaign_id, workspace_id, $3, $4::text::"ActionStatus", $5::timestamptz, $6, $7, ${LEASE}
         FROM campaign_leads l WHERE ${THESE}
         ON CONFLICT (campaign_lead_id, step) DO UPDATE SET status = excluded.status, performed_at = excluded.performed_at,
           lease_until = excluded.lease_until, lease_owner = excluded.lease_owner`,
        [...of, one.step, one.status, at(one.minute), toChannel(one.does_in), one.does_in],
      )
    case 'change':
      return pool().query(
        `UPDATE actions a SET status = $4::text::"ActionStatus", performed_at = $5::timestamptz, channel = $6, action_type = $7,
           lease_until = ${LEASE[0]}, lease_owner = ${LEASE[1]}
         FROM campaign_leads l WHERE l.campaign_lead_id = a.campaign_lead_id AND ${THESE} AND a.step = $3`,
        [...of, one.step, one.status, at(one.minute), toChannel(one.does_in), one.does_in],
      )
    case 'take back':
      return pool().query(
        `DELETE FROM actions a USING campaign_leads l
         WHERE l.campaign_lead_id = a.campaign_lead_id AND ${THESE} AND a.step = $3`,
        [...of, one.step],
      )
    case 'log':
      return pool().query(
        `INSERT INTO campaign_events (campaign_id, workspace_id, campaign_lead_id, at, kind, channel)
         SELECT campaign_id, workspace_id, campaign_lead_id, $3::timestamptz, 'replied', $4 FROM campaign_leads l WHERE ${THESE}`,
        [...of, at(one.minute), one.channel],
      )
    case 'remove':
      return pool().query(`DELETE FROM campaign_leads l WHERE ${THESE}`, of)
  }
}

test('whatever is written to leads, the ledger and the log, what is kept of them says the same', async () => {
  const ids = await twoCampaigns()
  await fc.assert(
    fc.asyncProperty(fc.array(statement, { maxLength: 12 }), async (statements) => {
      for (const one of statements) {
        await run(ids, one)
        expect(await wrong()).toEqual([])
      }
    }),
    { numRuns: 80 },
  )
})

const REPLIED = { leads: [0, 1], minute: 30, status: 'replied', step: 1, past: 1 }
const SENT = { minute: 10, step: 1, status: 'sent', does_in: 'email' } as const

test('what is wrong is seen to be, and counted anew as the migration counts', async () => {
  const ids = await twoCampaigns()
  await run(ids, { does: 'enrol', ...REPLIED })
  await run(ids, { does: 'offer', leads: [0, 1], ...SENT })
  expect(await wrong()).toEqual([])
  await pool().query('UPDATE lead_counts SET count = count + 1')
  await pool().query('UPDATE lead_endings SET step = 2')
  expect(await wrong()).toHaveLength(ids.length + 2 * ids.length)
  await pool().query('DELETE FROM lead_counts')
  await pool().query('DELETE FROM lead_endings')
  expect(await wrong()).toHaveLength(ids.length + 2 * ids.length)
  const migration = readMigrations().find(({ name }) => name.endsWith('_lead_counts'))
  await pool().query(migration?.sql.slice(migration.sql.indexOf('INSERT INTO "lead_counts"')) ?? '')
  expect(await wrong()).toEqual([])
})

test('what is kept of a campaign goes with it', async () => {
  const [first = '', second = ''] = await twoCampaigns()
  await run([first, second], { does: 'enrol', ...REPLIED })
  await db.campaign.delete({ where: { campaign_id: first } })
  const { rows } = await pool().query(
    `SELECT campaign_id, count FROM lead_counts UNION ALL SELECT campaign_id, count(*)::int FROM lead_endings GROUP BY 1`,
  )
  expect(rows).toEqual(Array(2).fill({ campaign_id: second, count: 2 }))
})

test('who replies while somebody else of the campaign is written to waits for the count, and neither is lost', async () => {
  const [first = ''] = await twoCampaigns()
  await run([first], { does: 'enrol', ...REPLIED, status: 'active', step: 1, past: 0 })
  await run([first], { does: 'offer', leads: [0, 1], ...SENT, status: 'uncertain' })
  const report = await pool().connect()
  try {
    await report.query('BEGIN')
    await report.query(`UPDATE actions SET status = 'failed' WHERE campaign_id = $1`, [first])
    const replies = run([first], { does: 'move', ...REPLIED })
    await report.query('SELECT pg_sleep(0.05)')
    await report.query('COMMIT')
    await replies
  } finally {
    report.release()
  }
  expect(await wrong()).toEqual([])
})
