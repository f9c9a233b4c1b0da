import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { closeDatabase, db, pool } from '#lib/db/client'
import { handleInbound } from '#lib/services/inbox/handle-mail'
import { suppress } from '#lib/services/leads/endings'
import { replyTo } from '#tests/support/scenes/arrivals'
import { begun, later, launchedOver, leadTo } from '#tests/support/scenes/begun'
import { aDataset } from '#tests/support/scenes/factories'
import { bytes } from '#tests/support/scenes/inbound-mail'
import { dispatchAt } from '#tests/support/scenes/launched'

const LEADS = 600

// A single connection, which flushes its statistics at once.
let one: pg.Pool
beforeAll(() => {
  one = new pg.Pool({ connectionString: pool().options.connectionString, max: 1 })
})
afterAll(() => one.end())
afterEach(async () => {
  await db.campaign.deleteMany()
})

/** How many rows of campaign_leads were read during `work`. */
async function leadsReadBy(work: () => Promise<unknown>): Promise<number> {
  const read = async () => {
    await one.query('SELECT pg_stat_force_next_flush()')
    await one.query('SELECT pg_stat_clear_snapshot()')
    const { rows } = await one.query<{ count: string }>(
      `SELECT seq_tup_read + idx_tup_fetch AS count FROM pg_stat_user_tables WHERE relname = 'campaign_leads'`,
    )
    return Number(rows[0]?.count)
  }
  // The reads of other connections are counted when they end.
  await closeDatabase()
  await expect
    .poll(async () => {
      const { rows } = await one.query(
        'SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      )
      return rows.length
    })
    .toBe(0)
  const before = await read()
  await work()
  return (await read()) - before
}

/** A running campaign with each lead at a company of its own; half of them have replied since Postgres last analysed the table. */
async function aLargeCampaign() {
  const other = await begun()
  const people = Array.from({ length: LEADS }, (_, n) => ({ email: `lead@firm${n}.test` }))
  const { dataset_id } = await aDataset(other.owner, people)
  const made = await launchedOver(other, dataset_id, {})
  const { outbox } = await dispatchAt(later)
  await one.query('ANALYZE')
  await one.query(
    `UPDATE campaign_leads SET status = 'replied', next_step = NULL, next_action_at = NULL, next_action_type = NULL, next_sender_id = NULL,
       last_event = 'replied', last_event_at = $3
     WHERE workspace_id = $1 AND campaign_id = $2 AND lead_index >= $4`,
    [made.owner.workspace_id, made.campaign_id, later, LEADS / 2],
  )
  const mail = outbox.find(({ to }) => to.address === 'lead@firm1.test')
  if (!mail) throw new Error('it did not leave')
  return { ...made, mail }
}

let uid = 0
const takeIn = (made: Awaited<ReturnType<typeof aLargeCampaign>>, raw: string) => {
  uid += 1
  const content = bytes(raw)
  const at = { uid_validity: 1n, uid, raw: content, size_bytes: content.length, received_at: later }
  return handleInbound(one, made.mailbox, { folder: 'INBOX', ...at }, later)
}

test('a reply reads its own lead, however many others wait or have answered', async () => {
  const made = await aLargeCampaign()
  const read = await leadsReadBy(() => takeIn(made, replyTo(made.mail)))
  expect((await leadTo(made.mail)).status).toBe('replied')
  expect(read).toBeLessThan(LEADS / 4)
})

test('an address that is listed reads the leads that have it', async () => {
  const made = await aLargeCampaign()
  const entry = {
    workspace_id: made.owner.workspace_id,
    values: [made.mail.to.address],
    reason: 'hard_bounce',
    status: 'bounced',
  } as const
  const read = await leadsReadBy(() => suppress(one, entry, later))
  expect((await leadTo(made.mail)).status).toBe('bounced')
  expect(read).toBeLessThan(LEADS / 4)
})

test('a domain on the list ends everybody there who waits', async () => {
  const made = await aLargeCampaign()
  const { workspace_id } = made.owner
  const values = ['@firm1.test', 'lead@firm2.test']
  const entry = { workspace_id, values, reason: 'manual', status: 'unsubscribed' } as const
  expect(await suppress(pool(), entry, later)).toEqual({ added: 2, ended: 2 })
  const ended = await db.campaignLead.findMany({
    where: { campaign_id: made.campaign_id, status: 'unsubscribed' },
  })
  expect(ended.map(({ email }) => email).sort()).toEqual(['lead@firm1.test', 'lead@firm2.test'])
})
