import { IMPORTED_ACCOUNT } from '#lib/domain/social/imported-account'

/** How a table's rows are imported. Column expressions are SQL, in which `r` is the row and `$2` the importing user. */
export type ArchiveTable = {
  name: string
  /** The column that other tables reference. */
  id?: string
  /** SQL condition for the rows that are imported. */
  only?: string
  /** References that must be in the archive, or the row is left out. Any other missing one becomes NULL, or refuses a required column. */
  loose?: string[]
  /** References that are kept even if their target is missing, since it may have been deleted within the same workspace. */
  keeps?: string[]
  /** References to a later table, set once its rows are in. */
  later?: string
  set?: Record<string, string>
  /** Columns that no export has, with the reason; a file with one of them is refused. */
  left?: Record<string, string>
}

const MAKER = { user_id: '$2::uuid' }
const RUNS = `r.status IN ('scheduled', 'active', 'draining')`

/** A campaign is imported paused, as after a backup, so that nothing runs or is claimed in two instances. */
const CAMPAIGN = {
  ...MAKER,
  status: `CASE WHEN ${RUNS} THEN 'paused' WHEN r.status = 'launching' THEN 'failed' ELSE r.status END`,
  paused_from: `CASE WHEN ${RUNS} THEN r.status ELSE r.paused_from END`,
  paused_reason: `CASE WHEN ${RUNS} THEN 'restored' ELSE r.paused_reason END`,
  launch_error: `CASE WHEN r.status = 'launching' THEN 'The workspace was exported during the launch.' ELSE r.launch_error END`,
  launch_job_id: 'NULL',
  next_slot_at: 'NULL',
  // Counted again as the leads are inserted, and at the end.
  total_leads: `CASE WHEN r.total_leads IS NULL THEN NULL ELSE 0 END`,
  processed_leads: '0',
  sent_count: '0',
  replied_count: '0',
  bounced_count: '0',
  uncertain_count: '0',
}

/** The password is not in the archive; the mailbox is tried again once its owner has entered it. */
const MAILBOX = {
  status: `'failing'`,
  failing_cause: `'sign_in'`,
  failing_since: '$3::timestamptz',
  failing_tries: '1',
  next_try_at: `$3::timestamptz + interval '1 hour'`,
  last_error: `'The workspace was imported. Enter the password again.'`,
  inbox_due_at: 'NULL',
  aliases_read_at: 'NULL',
  aliases_error: 'NULL',
}

/**
 * Accounts must be signed in to again. The provider's id is not imported from a file, since it would give access to the chats of
 * whatever account has that id.
 */
const ACCOUNT = {
  provider_account_id: `'${IMPORTED_ACCOUNT}' || r.account_id`,
  status: `'disconnected'`,
  status_reason: `'The workspace was imported. Connect the account again.'`,
  avatar_url: 'NULL',
  failing_cause: 'NULL',
  failing_since: 'NULL',
  failing_tries: '0',
  next_try_at: 'NULL',
  last_checked_at: 'NULL',
  messages_due_at: 'NULL',
  messages_arrived_at: 'NULL',
}

/** A domain gets a new key and therefore new records, and its ownership is not proven here yet. */
const DOMAIN = {
  status: `'pending'`,
  checks: `'{}'`,
  facts: `'{}'`,
  checked_at: 'NULL',
  next_check_at: '$3::timestamptz',
  unanswered: '0',
  looked_for_since: '$3::timestamptz',
  failing_since: 'NULL',
  verified_at: 'NULL',
}

/** A webhook is disabled until an admin has checked its URL and given the receiver the new secret. */
const WEBHOOK = {
  enabled: 'false',
  disabled_reason: `'imported'`,
  disabled_at: '$3::timestamptz',
  secret: `''`,
  secret_hint: `''`,
  failures: '0',
  failing_since: 'NULL',
  retry_after: 'NULL',
  served_at: 'NULL',
}

/** A form is not embedded anywhere yet: its URL is new, and its signing secret is not exported. */
const FORM = { token: 'r.form_id', signing_secret: 'NULL', secret_hint: 'NULL' }

/** No post is published twice, and no network is asked about a post id that comes from a file. */
const POST = {
  ...MAKER,
  status: `CASE WHEN r.status = 'scheduled' THEN 'draft' WHEN r.status = 'publishing' THEN 'failed' ELSE r.status END`,
  last_error: `CASE WHEN r.status = 'publishing'
    THEN 'The workspace was exported while this was being published. Check the network to see whether it is there.' ELSE r.last_error END`,
  scheduled_at: `CASE WHEN r.status = 'published' THEN r.scheduled_at END`,
  provider_post_id: 'NULL',
  social_id: 'NULL',
  reference: 'NULL',
  offered_at: 'NULL',
  uncertain: 'false',
  next_attempt_at: 'NULL',
  next_check_at: 'NULL',
  next_metrics_at: 'NULL',
}

/** Chats of imported accounts; the sandbox's chats belong to one instance. */
const TALKS = `(x.row->>'channel' = 'email'
  OR x.row->>'connected_account_id' IN (SELECT id::text FROM archive_ids WHERE name = 'connected_accounts'))`

/** Secrets, and columns of the old instance's processes. */
const NO_SECRETS = {
  lease_owner: 'a worker’s of the old instance',
  lease_until: 'a worker’s of the old instance',
  previous_secret: 'a secret',
  previous_secret_until: 'a secret',
  secret: 'a secret',
  secret_hint: 'a secret',
}

/** The imported tables, each after the tables that it references. */
export const ARCHIVE_TABLES: ArchiveTable[] = [
  { name: 'templates', id: 'template_id', set: MAKER },
  { name: 'sender_profiles', id: 'id', set: MAKER },
  // Search texts are filled again.
  { name: 'datasets', id: 'dataset_id', set: { searched_to: '0' } },
  { name: 'dataset_rows' },
  // Numbered by the instance; nothing references them.
  { name: 'dataset_rejects', set: { reject_id: `nextval('dataset_rejects_reject_id_seq')` } },
  {
    name: 'mailboxes',
    id: 'mailbox_id',
    set: MAILBOX,
    left: { smtp_password: 'a secret', imap_password: 'a secret' },
  },
  { name: 'mail_domains', id: 'domain_id', set: DOMAIN },
  {
    name: 'workspace_brandings',
    set: {
      // Its bytes are checked once the rows are in.
      logo: 'NULL',
      logo_type: 'NULL',
      report_domain: `CASE WHEN EXISTS (SELECT 1 FROM archive_rows d WHERE d.name = 'mail_domains'
        AND d.row->>'domain' = r.report_domain) THEN r.report_domain END`,
    },
    left: { logo_digest: 'made of the logo' },
  },
  { name: 'webhooks', id: 'webhook_id', set: WEBHOOK, left: NO_SECRETS },
  {
    name: 'connected_accounts',
    id: 'account_id',
    // The sandbox belongs to one instance.
    only: `x.row->>'driver' <> 'sandbox'`,
    set: ACCOUNT,
  },
  { name: 'mailbox_folders', left: { sync_token: 'of the connection, which is made anew' } },
  { name: 'sender_days', loose: ['sender_id'] },
  { name: 'suppressions', id: 'suppression_id' },
  // Verification results: campaigns skip addresses found invalid, and nobody pays for a check twice.
  { name: 'email_checks' },
  { name: 'email_verifications' },
  { name: 'absences', keeps: ['inbound_message_id', 'left_message_id'] },
  { name: 'past_recipients', keeps: ['action_id'] },
  { name: 'inbox_labels', id: 'label_id' },
  { name: 'campaigns', id: 'campaign_id', set: CAMPAIGN },
  { name: 'campaign_days' },
  { name: 'campaign_texts', keeps: ['template_id'] },
  { name: 'companies', id: 'company_id', later: 'replied_person_id' },
  { name: 'people', id: 'person_id', later: 'merged_into_id' },
  { name: 'campaign_leads', id: 'campaign_lead_id' },
  {
    name: 'actions',
    id: 'action_id',
    // An action under way has no worker here: its lease has expired, and it becomes uncertain, as after a crash.
    set: { lease_until: `CASE WHEN r.status = 'sending' THEN $3::timestamptz END`, lease_owner: 'NULL' },
    left: { lease_until: 'a worker’s of the old instance', lease_owner: 'a worker’s of the old instance' },
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
    left: { lease_until: 'a worker’s of the old instance' },
  },
  { name: 'generations', id: 'generation_id' },
  { name: 'inbound_messages', id: 'inbound_message_id', loose: ['mailbox_id'] },
  {
    name: 'threads',
    id: 'thread_id',
    only: TALKS,
    later: 'intent_message_id',
    // A chat is found again by its person: some providers return any chat by its id, whoever owns it.
    set: { assignee_id: 'NULL', chat_id: 'NULL' },
  },
  {
    name: 'inbox_messages',
    id: 'inbox_message_id',
    loose: ['thread_id'],
    set: { user_id: 'NULL', attachment_ids: `'{}'` },
  },
  {
    name: 'intent_rules',
    id: 'intent_rule_id',
    set: { assignee_id: 'NULL', notify_ids: `'{}'` },
  },
  {
    name: 'lead_branches',
    id: 'branch_id',
    // Leads that were not added yet are not added here, since the rule may have changed.
    set: { next_try_at: 'NULL', outcome: `coalesce(r.outcome, 'cancelled')` },
  },
  {
    name: 'inbox_notes',
    id: 'note_id',
    loose: ['thread_id'],
    set: { user_id: 'NULL', mentioned_ids: `'{}'` },
  },
  {
    name: 'inbox_drafts',
    id: 'draft_id',
    loose: ['thread_id'],
    // Otherwise two instances would send it.
    set: {
      user_id: 'NULL',
      last_message_id: 'NULL',
      send_at: 'NULL',
      attachment_ids: `'{}'`,
      stopped: `CASE WHEN cardinality(r.attachment_ids) > 0
        THEN 'The workspace was imported without the files of its emails. Attach them again.' ELSE r.stopped END`,
    },
  },
  { name: 'views', id: 'view_id' },
  { name: 'social_posts', id: 'id', set: POST, left: { lease_until: 'a worker’s of the old instance' } },
  { name: 'social_post_metrics' },
  {
    name: 'forms',
    id: 'form_id',
    set: FORM,
    left: { token: 'made anew', signing_secret: 'a secret', secret_hint: 'a secret' },
  },
  // Consents that people gave; a link that was not followed yet leads to the old instance.
  {
    name: 'form_entries',
    id: 'form_entry_id',
    only: `x.row->>'confirmed_at' IS NOT NULL`,
    set: { add_due_at: 'NULL' },
    left: { digest: 'a secret' },
  },
  // Samples can still be removed as samples.
  { name: 'sample_items', loose: ['item_id'] },
]

/** The settings of the workspace that an archive restores, besides its name. */
export const WORKSPACE_SETTINGS = [
  'timezone',
  'require_verified_domain',
  'after_reply',
  'one_campaign_at_a_time',
  'company_max_active',
  'rest_days',
  'colleague_reply_days',
  'ai_tokens_per_month',
  'share_unsubscribes',
]

/** Tables of a workspace that are not imported, with the reason. */
export const NOT_IMPORTED: Readonly<Record<string, string>> = {
  users: 'a person, who has an account of their own there',
  members: 'people are invited anew',
  past_members: 'people are invited anew',
  invitations: 'their links are of the old instance',
  mailbox_members: 'people are invited anew, and given mailboxes then',
  account_members: 'people are invited anew',
  campaign_clients: 'people are invited anew, and given campaigns then',
  contact_wakes: 'what they would wake is asked again within a week',
  action_counts: 'counted anew as the actions come in',
  contact_counts: 'counted anew as the actions come in',
  lead_counts: 'counted anew as the leads come in',
  lead_endings: 'found anew as the leads come in',
  dataset_texts: 'filled anew from the rows',
  people_texts: 'filled anew from the people',
  user_sessions: 'sign-ins are of one instance',
  sign_ins: 'sign-ins are of one instance',
  identities: 'sign-ins are of one instance',
  passkeys: 'they work for one address of an instance only',
  authenticator_apps: 'a secret',
  recovery_codes: 'a secret',
  one_time_links: 'a secret',
  api_keys: 'a secret',
  webhook_events: 'they were told by the old instance',
  webhook_deliveries: 'they were told by the old instance',
  report_links: 'their secrets do not travel',
  report_link_campaigns: 'report links do not travel',
  sign_in_domains: 'a domain has to be proved again',
  group_roles: 'the identity provider of another instance has other groups',
  domain_keys: 'a secret; each domain has a new one',
  mailbox_watches: 'of the connection, which is made anew',
  mailbox_grants: 'a mailbox has to be connected again',
  mail_organizations: 'a secret; an organization has to be connected again',
  sheet_accounts: 'a Google account has to be connected again',
  sheet_links: 'of Google accounts, which are connected anew',
  sent_copies: 'on their way into a Sent folder; what was sent is in the actions',
  provider_pauses: 'a mailbox is judged anew where it is connected anew',
  ramp_days: 'a mailbox is judged anew where it is connected anew',
  placement_tests: 'of mailboxes, which are connected anew',
  postmaster_accounts: 'a Google account has to be connected again',
  postmaster_domains: 'of domains, which are proved anew',
  snds_accounts: 'a secret; SNDS has to be connected again',
  snds_days: 'read anew by the key',
  dmarc_reports: 'of domains, which are proved anew',
  social_people: 'of accounts, which are connected anew',
  social_identifiers: 'of accounts, which are connected anew',
  images: 'their addresses, which emails name, are of the old instance',
  attachments: 'files: an export has them, and no storage takes them in yet',
  social_post_attachments: 'files: an export has them, and no storage takes them in yet',
  sandbox_accounts: 'the sandbox is of one instance',
  sandbox_people: 'the sandbox is of one instance',
  sandbox_chat_messages: 'the sandbox is of one instance',
  sandbox_posts: 'the sandbox is of one instance',
  sandbox_messages: 'the sandbox is of one instance',
  dataset_sessions: 'the history of enrichment; what it found is in the rows',
  dataset_cell_changes: 'the history of enrichment; what it found is in the rows',
  enrichment_lookups: 'the history of enrichment; what it found is in the rows',
  ai_usage: 'what models used on the old instance',
  email_finder_results: 'the history of enrichment; what it found is in the rows',
  uploads: 'files on their way into a dataset',
  uploaded_files: 'files on their way into a dataset',
  workspace_imports: 'what came into the old instance',
  campaign_edits: 'an edit is undone where it was made',
  campaign_edit_leads: 'an edit is undone where it was made',
  launch_forecasts: 'made anew',
  notifications: 'told already',
  notification_preferences: 'a person’s',
  notification_messages: 'a person’s',
  conversations: 'a person’s, with the assistant',
  conversation_messages: 'a person’s, with the assistant',
  agent_approvals: 'a person’s, with the assistant',
  audit_events: 'what people did on the old instance, who are others here',
  referrals: 'a person’s',
  thread_presence: 'of the moment',
  rate_limits: 'of the moment',
  seats: 'of the moment',
}
