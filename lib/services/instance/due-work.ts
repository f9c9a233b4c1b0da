import type { Pool } from 'pg'
import { prepared } from '#lib/db/prepared'
import type { Bell } from '#lib/domain/sending/wake'

/**
 * Work whose event or worker may be lost is requested again, and may then still wait for its turn or its next try. So it counts as due a
 * minute after the last request, and not continuously while it waits.
 */
const STALE = `(SELECT greatest(at, (SELECT rung_at + interval '1 minute' FROM wake WHERE bell = 'chores')) FROM (SELECT least(
    (SELECT min(launch_requested_at) + interval '1 minute' FROM campaigns WHERE status = 'launching'),
    (SELECT min(session_updated_at) + interval '2 minutes' FROM dataset_sessions
      WHERE status IN ('queued', 'processing') AND work <> 'personalization'),
    (SELECT min(greatest(updated_at + interval '6 minutes', lease_until)) FROM personalization_runs
      WHERE status IN ('queued', 'running')),
    (SELECT min(updated_at) + interval '2 minutes' FROM workspace_imports WHERE status IN ('queued', 'running')))
    AS at) stale WHERE at IS NOT NULL)`

/**
 * SQL: when the first work of each kind is due. Each query reads the start of a partial index, so that it costs the same however much
 * there is. Sessions and launches are due here only if their event or their worker seems lost.
 */
const DUE: Record<Bell, string> = {
  dispatch: `least(
    (SELECT min(next_slot_at) FROM campaigns WHERE status IN ('active', 'draining') AND next_slot_at IS NOT NULL),
    (SELECT min(lease_until) + interval '1 millisecond' FROM actions WHERE status = 'sending'),
    (SELECT now() WHERE EXISTS (SELECT 1 FROM contact_wakes)))`,
  inbox: '(SELECT min(inbox_due_at) FROM mailboxes)',
  accounts: '(SELECT min(messages_due_at) FROM connected_accounts)',
  webhooks: `(SELECT min(greatest(d.next_attempt_at, w.retry_after, w.lease_until)) FROM webhooks w, LATERAL (
    SELECT next_attempt_at FROM webhook_deliveries
    WHERE webhook_id = w.webhook_id AND status = 'pending' ORDER BY next_attempt_at LIMIT 1) d WHERE w.enabled)`,
  notifications: `least(
    (SELECT min(greatest(n.first + interval '1 minute', p.last_digest_at + interval '15 minutes')) FROM (
      SELECT workspace_id, min(created_at) AS first FROM notifications WHERE gathered_at IS NULL GROUP BY workspace_id) n
      LEFT JOIN LATERAL (SELECT max(last_digest_at) AS last_digest_at FROM notification_preferences p
        WHERE p.workspace_id = n.workspace_id) p ON true),
    (SELECT min(next_attempt_at) FROM notification_messages WHERE status = 'queued'),
    (SELECT min(lease_until) FROM notification_messages WHERE status = 'sending'),
    (SELECT min(analytics_due_at) FROM notification_preferences WHERE analytics_due_at IS NOT NULL),
    (SELECT min(mail_due_at) FROM form_entries WHERE mail_due_at IS NOT NULL),
    (SELECT min(add_due_at) FROM form_entries WHERE add_due_at IS NOT NULL))`,
  posts: `least(
    (SELECT min(next_attempt_at) FROM social_posts WHERE status = 'scheduled'),
    (SELECT min(lease_until) FROM social_posts WHERE status = 'publishing'),
    (SELECT min(next_check_at) FROM social_posts WHERE uncertain),
    (SELECT min(next_metrics_at) FROM social_posts WHERE next_metrics_at IS NOT NULL))`,
  answers: '(SELECT min(send_at) FROM inbox_drafts WHERE send_at IS NOT NULL)',
  intents: '(SELECT min(ask_model_at) FROM inbox_messages WHERE ask_model_at IS NOT NULL)',
  chores: `least(
    (SELECT min(start_date) FROM campaigns WHERE status = 'scheduled'),
    ${STALE},
    (SELECT min(next_check_at) FROM mail_domains),
    (SELECT min(next_try_at) FROM lead_branches WHERE next_try_at IS NOT NULL),
    (SELECT min(follow_at) FROM inbox_messages WHERE follow_at IS NOT NULL),
    (SELECT min(next_at) FROM backfills WHERE finished_at IS NULL))`,
}

const STATEMENT = `SELECT d.bell, d.due, w.armed_for, w.rung_at
  FROM (VALUES ${Object.entries(DUE)
    .map(([bell, due]) => `('${bell}', ${due})`)
    .join(', ')}) d (bell, due) LEFT JOIN wake w USING (bell)`

export type DueWork = { bell: Bell; due: Date | null; armed_for: Date | null; rung_at: Date | null }

/** When each kind of work is due next, and the state of its bell. */
export async function readDueWork(from: Pool): Promise<DueWork[]> {
  const { rows } = await from.query<DueWork>(prepared(STATEMENT, []))
  return rows
}
