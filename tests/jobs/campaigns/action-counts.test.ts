import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import { readMigrations } from '#lib/db/migrate'
import { twoCampaigns } from '#tests/support/scenes/launched'
import { WRONG_ACTION_COUNTS } from '#tests/support/statements/action-counts'

afterEach(async () => {
  await db.campaign.deleteMany()
})

const wrong = async () => (await pool().query(WRONG_ACTION_COUNTS)).rows
const STEPS = [1, 2, 3]
const LEADS = 4

const status = fc.constantFrom('sending', 'sent', 'uncertain', 'failed', 'skipped', 'retry')
const label = fc.constantFrom(null, 'A', 'B')
const minute = fc.integer({ min: 0, max: 59 })
const leads = fc.uniqueArray(fc.integer({ min: 0, max: LEADS - 1 }), { minLength: 1 })
const step = fc.constantFrom(...STEPS)
const statement = fc.oneof(
  fc.record({ does: fc.constant('offer' as const), leads, step, status, label, minute }),
  fc.record({ does: fc.constant('change' as const), leads, step, status, label, minute }),
  fc.record({ does: fc.constant('take back' as const), leads, step }),
)

// An action in flight has a lease and a worker.
const UNTIL = `CASE WHEN $4 = 'sending' THEN $6::timestamptz END`
const BY = `CASE WHEN $4 = 'sending' THEN 'worker' END`

/** Applies a statement to both campaigns at once, as a batch of reports does. */
async function run(ids: string[], one: typeof statement extends fc.Arbitrary<infer T> ? T : never) {
  const of = [ids, one.leads, one.step]
  if (one.does === 'take back')
    return pool().query(
      `DELETE FROM actions a USING campaign_leads l WHERE l.campaign_lead_id = a.campaign_lead_id
       AND a.campaign_id = ANY ($1) AND l.lead_index = ANY ($2) AND step = $3`,
      of,
    )
  const values = [...of, one.status, one.label, new Date(Date.UTC(2026, 2, 2, 9, one.minute))]
  if (one.does === 'change')
    return pool().query(
      `UPDATE actions a SET status = $4::text::"ActionStatus", lease_until = ${UNTIL}, lease_owner = ${BY}, variant_label = $5, performed_at = $6::timestamptz FROM campaign_leads l
       WHERE l.campaign_lead_id = a.campaign_lead_id AND a.campaign_id = ANY ($1) AND l.lead_index = ANY ($2) AND step = $3`,
      values,
    )
  return pool().query(
    `INSERT INTO actions (campaign_lead_id, campaign_id, workspace_id, step, channel, action_type, status, variant_label, performed_at,
       lease_until, lease_owner)
     SELECT campaign_lead_id, campaign_id, workspace_id, $3, 'email', 'email', $4::text::"ActionStatus", $5, $6::timestamptz, ${UNTIL}, ${BY} FROM campaign_leads
     WHERE campaign_id = ANY ($1) AND lead_index = ANY ($2)
     ON CONFLICT (campaign_lead_id, step) DO UPDATE SET status = excluded.status, performed_at = excluded.performed_at,
       lease_until = excluded.lease_until, lease_owner = excluded.lease_owner`,
    values,
  )
}

test('whatever is written to the ledger, what is kept of it says the same', async () => {
  const { ids } = await twoCampaigns(LEADS)
  await fc.assert(
    fc.asyncProperty(fc.array(statement, { maxLength: 8 }), async (statements) => {
      for (const one of statements) await run(ids, one)
      expect(await wrong()).toEqual([])
    }),
    { numRuns: 60 },
  )
})

test('a count that is wrong is seen to be, and counted anew as the migration counts', async () => {
  const { ids } = await twoCampaigns(LEADS)
  const at = { does: 'offer' as const, leads: [0, 1], minute: 10 }
  await run(ids, { ...at, step: 1, status: 'sent', label: 'A' })
  await run(ids, { ...at, step: 2, status: 'failed', label: null })
  await pool().query('UPDATE action_counts SET count = count + 1 WHERE step = 1')
  expect(await wrong()).toHaveLength(ids.length)
  await pool().query('DELETE FROM action_counts')
  expect(await wrong()).toHaveLength(2 * ids.length)
  const migration = readMigrations().find(({ name }) => name.endsWith('_action_counts'))
  await pool().query(migration?.sql.slice(migration.sql.indexOf('INSERT INTO "action_counts"')) ?? '')
  expect(await wrong()).toEqual([])
})

test('the counts of a campaign go with it', async () => {
  const {
    ids: [first = '', second = ''],
  } = await twoCampaigns(LEADS)
  await run([first, second], { does: 'offer', leads: [0], step: 1, status: 'sent', label: 'A', minute: 1 })
  await db.campaign.delete({ where: { campaign_id: first } })
  const { rows } = await pool().query('SELECT campaign_id, count FROM action_counts')
  expect(rows).toEqual([{ campaign_id: second, count: 1 }])
})
