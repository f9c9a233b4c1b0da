import { expect, test } from 'vitest'
import { pool } from '#lib/db/client'
import { readMigrations } from '#lib/db/migrate'
import { inTransaction } from '#lib/db/transaction'
import { LEAD_REASON_NAMES } from '#lib/domain/leads/lead-reasons'
import { reasonSets } from '#lib/services/leads/state/sql'

/** Reasons as the code wrote them while they were text, and the columns that hold them now. */
const WORDS: [said: string | null, event: string | null, reason: string | null, detail: string | null][] = [
  [null, 'sent', null, null],
  ['no_address', null, 'no_address', null],
  ['company_replied', 'skipped', 'company_replied', null],
  ['complaint', 'unsubscribed', 'complaint', null],
  ['suppressed: manual', null, 'suppressed', 'manual'],
  ['suppressed_domain: asked by telephone', null, 'suppressed_domain', 'asked by telephone'],
  ['asked by telephone', 'suppressed', 'suppressed', 'asked by telephone'],
  ['550 5.1.1 no such user', 'bounced', 'bounced', '550 5.1.1 no such user'],
  ['4 tries: 451 later', 'failed', 'failed', '4 tries: 451 later'],
  [
    'The lead changed after its text was approved.',
    'held',
    'held',
    'The lead changed after its text was approved.',
  ],
  ['It did not leave.', 'resolved_not_sent', 'other', 'It did not leave.'],
]
const COLUMNS = [WORDS.map(([said]) => said), WORDS.map(([, event]) => event)]

test('the database knows the reasons of the table of words, and no others', async () => {
  const { rows } = await pool().query<{ names: string[] }>(
    'SELECT enum_range(NULL::"LeadReason")::text[] AS names',
  )
  expect(rows[0]?.names.toSorted()).toEqual(LEAD_REASON_NAMES.toSorted())
})

test('words of ours are the reason, and those of others stand beside it', async () => {
  const { reason, reason_detail } = reasonSets('w.said', 'w.event')
  const { rows } = await pool().query<{ reason: string | null; detail: string | null }>(
    `SELECT ${reason} AS reason, ${reason_detail} AS detail
     FROM unnest($1::text[], $2::text[]) WITH ORDINALITY w (said, event, place) ORDER BY place`,
    COLUMNS,
  )
  expect(rows).toEqual(WORDS.map(([, , reason, detail]) => ({ reason, detail })))
})

class Undone extends Error {}

test('reasons from before are kept, of leads and of edits that can be undone', async () => {
  const sql = readMigrations().find(({ name }) => name.endsWith('_lead_reasons'))?.sql ?? ''
  // The part of the schema that the migration uses, in a schema of its own.
  await inTransaction(pool(), async (client) => {
    await client.query(`CREATE SCHEMA before_reasons; SET LOCAL search_path = before_reasons;
      CREATE TABLE campaign_leads (place int, reason text, last_event text, status text);
      CREATE TABLE campaign_edit_leads (place int, before jsonb, after jsonb)`)
    await client.query(
      `INSERT INTO campaign_leads SELECT place, said, event, 'skipped'
       FROM unnest($1::text[], $2::text[]) WITH ORDINALITY w (said, event, place)`,
      COLUMNS,
    )
    await client.query(
      `INSERT INTO campaign_edit_leads SELECT place, to_jsonb(l), 'null' FROM campaign_leads l`,
    )
    await client.query(sql)
    const { rows: leads } = await client.query(
      'SELECT reason::text AS reason, reason_detail AS detail FROM campaign_leads ORDER BY place',
    )
    const { rows: edits } = await client.query(
      `SELECT before ->> 'reason' AS reason, before ->> 'reason_detail' AS detail FROM campaign_edit_leads ORDER BY place`,
    )
    const kept = WORDS.map(([, , reason, detail]) => ({ reason, detail }))
    expect(leads).toEqual(kept)
    expect(edits).toEqual(kept)
    throw new Undone()
  }).catch((error) => {
    if (!(error instanceof Undone)) throw error
  })
})
