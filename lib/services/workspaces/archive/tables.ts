/** How the rows of one table come in. What is said of columns is SQL, where `r` is the row and `$2` whoever imports it. */
export type ArchiveTable = {
  name: string
  /** The column that others name it by. */
  id?: string
  /** Which of its rows come in at all. */
  only?: string
  /** Rows that name nothing of the archive here are left out; elsewhere that refuses the archive. */
  loose?: string[]
  /** Names what may be gone since, within what the row belongs to. */
  keeps?: string[]
  set?: Record<string, string>
}

const MAKER = { user_id: '$2::uuid' }
const RUNS = `r.status IN ('scheduled', 'active', 'draining')`

/** Nothing runs, and nothing is claimed twice: a campaign arrives paused, as from a backup. */
const CAMPAIGN = {
  ...MAKER,
  status: `CASE WHEN ${RUNS} THEN 'paused' WHEN r.status = 'launching' THEN 'failed' ELSE r.status END`,
  paused_from: `CASE WHEN ${RUNS} THEN r.status ELSE r.paused_from END`,
  paused_reason: `CASE WHEN ${RUNS} THEN 'restored' ELSE r.paused_reason END`,
  launch_error: `CASE WHEN r.status = 'launching' THEN 'The workspace was exported during the launch.' ELSE r.launch_error END`,
  launch_job_id: 'NULL',
  next_slot_at: 'NULL',
  // Counted anew as the leads come in, and at the end.
  total_leads: `CASE WHEN r.total_leads IS NULL THEN NULL ELSE 0 END`,
  processed_leads: '0',
  sent_count: '0',
  replied_count: '0',
  bounced_count: '0',
  uncertain_count: '0',
}

/** Its password is not in the archive: it is tried again when its owner has entered it. */
const MAILBOX = {
  status: `'failing'`,
  failing_cause: `'sign_in'`,
  failing_since: '$3::timestamptz',
  failing_tries: '1',
  next_try_at: `$3::timestamptz + interval '1 hour'`,
  last_error: `'The workspace was imported. Enter the password again.'`,
  inbox_due_at: 'NULL',
}

/** What an archive brings, each table after those that it names. */
export const ARCHIVE_TABLES: ArchiveTable[] = [
  { name: 'templates', id: 'template_id', set: MAKER },
  { name: 'sender_profiles', id: 'id', set: MAKER },
  { name: 'datasets', id: 'dataset_id' },
  { name: 'dataset_rows' },
  { name: 'dataset_rejects', id: 'reject_id' },
  { name: 'mailboxes', id: 'mailbox_id', set: MAILBOX },
  { name: 'mailbox_folders' },
  { name: 'sender_days', loose: ['sender_id'] },
  { name: 'suppressions', id: 'suppression_id' },
  { name: 'absences', keeps: ['inbound_message_id'] },
  { name: 'past_recipients', keeps: ['action_id'] },
  { name: 'inbox_labels', id: 'label_id' },
  { name: 'campaigns', id: 'campaign_id', set: CAMPAIGN },
  { name: 'campaign_days' },
  { name: 'campaign_texts', keeps: ['template_id'] },
  { name: 'companies', id: 'company_id' },
  { name: 'people', id: 'person_id' },
  { name: 'campaign_leads', id: 'campaign_lead_id' },
  {
    name: 'actions',
    id: 'action_id',
    // What was under way has no worker here: its lease is over, and it becomes uncertain, as after a crash.
    set: { lease_until: `CASE WHEN r.status = 'sending' THEN $3::timestamptz END`, lease_owner: 'NULL' },
  },
  { name: 'campaign_events', id: 'event_id' },
  { name: 'tracking_events' },
  {
    name: 'personalization_runs',
    id: 'run_id',
    set: {
      status: `CASE WHEN r.status IN ('queued', 'running') THEN 'cancelled' ELSE r.status END`,
      worker: 'NULL',
    },
  },
  { name: 'generations', id: 'generation_id' },
  { name: 'inbound_messages', id: 'inbound_message_id', loose: ['mailbox_id'] },
  // Chats belong to accounts, which are connected anew.
  { name: 'threads', id: 'thread_id', only: `x.row->>'channel' = 'email'`, set: { assignee_id: 'NULL' } },
  { name: 'inbox_messages', id: 'inbox_message_id', loose: ['thread_id'], set: { user_id: 'NULL' } },
  {
    name: 'inbox_notes',
    id: 'note_id',
    loose: ['thread_id'],
    set: { user_id: 'NULL', mentioned_ids: `'{}'` },
  },
]
