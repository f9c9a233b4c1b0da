import { pool } from '#lib/db/client'
import type { Maker } from '#lib/domain/workspaces/maker'
import { aCampaign } from '#tests/support/scenes/factories'
import { aDataset } from '../bench/seed.ts'

const ROWS = 100_000

/** A dataset of ten columns, and a paused campaign over all of it with leads in all states. Returns their addresses. */
export async function longLists(owner: Maker & { email: string }) {
  const { workspace_id } = owner
  const dataset_id = await aDataset(workspace_id, ROWS)
  const { campaign_id } = await aCampaign(owner, { dataset_id, name: `Campaign of ${ROWS}` })
  await pool().query(
    `INSERT INTO campaign_leads (campaign_id, workspace_id, dataset_id, lead_index, email, status, current_step, next_step,
       next_action_at, next_action_type, last_event, last_event_at, reason, reason_detail)
     SELECT $1, workspace_id, dataset_id, lead_index, email,
       (CASE WHEN n < 5 THEN 'pending' WHEN n < 7 THEN 'active' WHEN n = 7 THEN 'completed' WHEN n = 8 THEN 'replied'
         ELSE 'failed' END)::"LeadStatus", CASE WHEN n < 5 THEN 0 ELSE 1 END, CASE WHEN n < 7 THEN 1 END,
       CASE WHEN n < 7 THEN now() + lead_index * interval '1 minute' END, CASE WHEN n < 7 THEN 'email' END,
       CASE WHEN n >= 5 THEN 'sent'::"LeadEvent" END, CASE WHEN n >= 5 THEN now() - lead_index * interval '1 second' END,
       CASE WHEN n = 9 THEN 'failed'::"LeadReason" END, CASE WHEN n = 9 THEN 'mailbox full' END
     FROM (SELECT *, lead_index % 10 AS n FROM dataset_rows WHERE dataset_id = $2) rows`,
    [campaign_id, dataset_id],
  )
  await pool().query(
    `UPDATE campaigns SET total_leads = $2, status = 'paused', paused_from = 'active', paused_reason = 'user', launched_at = now()
     WHERE campaign_id = $1`,
    [campaign_id, ROWS],
  )
  await pool().query('VACUUM (ANALYZE) campaign_leads, dataset_rows')
  return { leads: `/campaigns/${campaign_id}/leads`, rows: `/datasets/${dataset_id}` }
}

/** Creates this many users with some campaigns each; returns them with a session each. */
export async function manyPeople(count: number): Promise<{ user_id: string; sid: string }[]> {
  const { rows } = await pool().query<{ user_id: string; sid: string }>(
    `WITH people AS (
       INSERT INTO users (email, name, updated_at)
       SELECT 'tab-' || uuid_v7() || '@timings.example', 'Tab', now() FROM generate_series(1, $1) RETURNING user_id
     ), homes AS MATERIALIZED (
       SELECT user_id, uuid_v7() AS workspace_id FROM people
     ), made AS (
       INSERT INTO workspaces (workspace_id, name, slug)
       SELECT workspace_id, 'Tab', 'tab-' || workspace_id FROM homes
     ), members AS (
       INSERT INTO members (workspace_id, user_id, role) SELECT workspace_id, user_id, 'owner' FROM homes
     ), sessions AS (
       INSERT INTO user_sessions (user_id, created_at, last_seen_at, expires_at)
       SELECT user_id, now(), now(), now() + interval '1 day' FROM people RETURNING user_id, session_id
     ) SELECT user_id, session_id AS sid FROM sessions`,
    [count],
  )
  const owners = rows.map(({ user_id }) => user_id)
  await pool().query(
    `WITH made AS (
       INSERT INTO datasets (workspace_id, dataset_name, source_type, row_count, columns, updated_at)
       SELECT workspace_id, 'People', 'xlsx', 0, '[]', now() FROM members WHERE user_id = ANY ($1::uuid[])
       RETURNING workspace_id, dataset_id
     ) INSERT INTO campaigns (workspace_id, user_id, dataset_id, name, send_days, updated_at)
       SELECT workspace_id, user_id, dataset_id, 'Campaign ' || n, '{mon,tue}', now()
       FROM made JOIN members USING (workspace_id), generate_series(1, 20) n`,
    [owners],
  )
  await pool().query('VACUUM (ANALYZE) users, user_sessions, campaigns')
  return rows
}

export async function forget(userIds: string[]): Promise<void> {
  await pool().query(
    'DELETE FROM workspaces WHERE workspace_id IN (SELECT workspace_id FROM members WHERE user_id = ANY ($1::uuid[]))',
    [userIds],
  )
  await pool().query('DELETE FROM users WHERE user_id = ANY ($1::uuid[])', [userIds])
}
