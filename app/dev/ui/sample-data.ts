import type { OwnedCampaign } from '#lib/contracts/campaigns/campaigns'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { Dataset } from '#lib/contracts/datasets/datasets'
import type { CampaignLead } from '#lib/contracts/leads/campaign-leads'
import type { SenderProfile } from '#lib/contracts/messages/sender-profiles'
import type { Template } from '#lib/contracts/messages/templates'
import type { Mailbox } from '#lib/contracts/senders/mailboxes'
import type { ApiKey } from '#lib/contracts/workspaces/api-keys'

const ID = '01930c7e-2f6a-7000-8000-00000000000'
export const NOW = '2026-11-20T12:00:00.000Z'

export const TEMPLATES: Template[] = ['Intro, short', 'Intro with a question'].map((name, index) => ({
  template_id: `${ID}${index}`,
  user_id: `${ID}0`,
  workspace_id: `${ID}0`,
  name,
  content: {
    subject: index ? 'A question about {{ company }}' : '{Hi|Hello} {{ first_name | default: "there" }}',
    body: 'Hi {{ first_name | default: "there" }},\n\nI saw that {{ company }} is hiring in {{ city }}.',
  },
  is_shared: false,
  inherited_from: null,
  version: 1,
  created_at: '2026-11-02T09:00:00.000Z',
  updated_at: '2026-11-20T09:30:00.000Z',
}))

export const STEPS: StepConfig[] = [
  {
    step: 1,
    delay_days: 0,
    channel: 'email',
    action_type: 'email',
    condition: 'always',
    variants: ['A', 'B'].map((label, index) => ({
      label,
      weight: index + 1,
      type: 'TEMPLATE',
      template_id: index === 0 ? null : `${ID}${index}`,
      sender_profile_id: null,
      subject: index === 0 ? 'A question, {{ first_name }}' : null,
      message_template: index === 0 ? 'Hi {{ first_name }},\n\nwho plans the routes at {{ company }}?' : null,
    })),
    subject: null,
    message_template: null,
    ai_personalization_enabled: false,
    track_clicks: false,
    track_opens: false,
  },
  {
    step: 2,
    delay_days: 3,
    channel: 'email',
    action_type: 'email',
    condition: 'always',
    variants: [],
    subject: null,
    message_template: 'Hi {{ first_name }},\n\ndid this reach you? {{ compnay }} came to mind again.',
    ai_personalization_enabled: false,
    track_clicks: false,
    track_opens: false,
  },
]

const CAMPAIGN: OwnedCampaign = {
  campaign_id: `${ID}1`,
  user_id: `${ID}0`,
  owner_name: 'Petra Person',
  workspace_id: `${ID}0`,
  dataset_id: `${ID}2`,
  name: 'Spring outreach, Nordic logistics',
  description: null,
  type: 'email',
  status: 'active',
  launch_type: 'immediate',
  start_date: null,
  daily_limit: 120,
  sending_window_start: '09:00:00',
  sending_window_end: '17:00:00',
  sending_windows: null,
  open_until: null,
  holiday_country: null,
  holiday_region: null,
  min_interval_seconds: 90,
  timezone: 'Europe/Stockholm',
  schedule_timezone: 'campaign',
  send_days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  steps_config: STEPS,
  alias_ids: null,
  connected_account_id: null,
  sender_rotation: 'senders',
  total_leads: 1240,
  processed_leads: 402,
  launch_job_id: null,
  launch_requested_at: null,
  launch_error: null,
  system_prompt: null,
  auto_variant_weights: false,
  unreviewed_launch_policy: 'launch_default',
  stop_on_company_reply: false,
  skip_emails: 'invalid',
  contact_policy_override: null,
  complained_count: 0,
  paused_reason: null,
  playground_discovery_dismissed_at: null,
  next_slot_at: '2026-11-20T12:04:00.000Z',
  sent_count: 804,
  replied_count: 51,
  bounced_count: 6,
  uncertain_count: 1,
  launched_at: '2026-11-16T08:00:00.000Z',
  completed_at: null,
  version: 1,
  created_at: '2026-11-15T08:00:00.000Z',
  updated_at: NOW,
}

const FRESH = { total_leads: 0, processed_leads: 0, sent_count: 0, replied_count: 0, bounced_count: 0 }

export const CAMPAIGNS: OwnedCampaign[] = [
  CAMPAIGN,
  {
    ...CAMPAIGN,
    campaign_id: `${ID}2`,
    name: 'Weekend test',
    send_days: ['sat', 'sun'],
    next_slot_at: '2026-11-21T08:00:00.000Z',
  },
  {
    ...CAMPAIGN,
    campaign_id: `${ID}3`,
    name: 'Conference follow-up',
    status: 'paused',
    paused_reason: 'bounce_rate',
  },
  {
    ...CAMPAIGN,
    ...FRESH,
    campaign_id: `${ID}4`,
    name: 'New year',
    status: 'scheduled',
    start_date: '2027-01-04T08:00:00.000Z',
  },
  { ...CAMPAIGN, ...FRESH, campaign_id: `${ID}5`, name: 'An idea', status: 'draft' },
  { ...CAMPAIGN, campaign_id: `${ID}6`, name: 'Autumn outreach', status: 'completed', processed_leads: 1240 },
  {
    ...CAMPAIGN,
    ...FRESH,
    campaign_id: `${ID}7`,
    name: 'Broken',
    status: 'failed',
    launch_error: 'No connected mailbox to send from.',
  },
]

export const COUNTS = {
  pending: 820,
  active: 18,
  completed: 340,
  replied: 51,
  bounced: 6,
  unsubscribed: 3,
  failed: 1,
  skipped: 1,
}

const LEAD: CampaignLead = {
  campaign_lead_id: `${ID}1`,
  lead_index: 0,
  email: 'ingrid.lindqvist@nordfrakt.example',
  data: { first_name: 'Ingrid', last_name: 'Lindqvist' },
  status: 'active',
  current_step: 1,
  next_action_at: '2026-11-23T08:00:00.000Z',
  last_event: 'sent',
  last_event_at: '2026-11-20T10:11:00.000Z',
  reason: null,
  reason_detail: null,
  timezone: null,
  timezone_source: null,
  waits_for: null,
}

export const LEADS: CampaignLead[] = [
  LEAD,
  {
    ...LEAD,
    campaign_lead_id: `${ID}2`,
    email: 'jörg@müller-spedition.example',
    status: 'replied',
    next_action_at: null,
    last_event: 'replied',
  },
  {
    ...LEAD,
    campaign_lead_id: `${ID}3`,
    email: 'nobody@gone.example',
    status: 'bounced',
    next_action_at: null,
    last_event: 'bounced',
    reason: 'bounced',
    reason_detail: '550 5.1.1 The mailbox does not exist',
  },
  {
    ...LEAD,
    campaign_lead_id: `${ID}4`,
    email: 'mats.berg@nordfrakt.example',
    current_step: 0,
    last_event: null,
    last_event_at: null,
    reason: 'person_busy',
    waits_for: {
      campaign_id: `${ID}9`,
      campaign_name: 'Spring',
      colleague: null,
      not_before: '2026-12-03T08:00:00.000Z',
    },
  },
]

const DATASET: Dataset = {
  dataset_id: `${ID}2`,
  dataset_name: 'Nordic logistics',
  source_type: 'xlsx',
  row_count: 1240,
  reject_count: 37,
  version: 1,
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: NOW,
  session_id: `${ID}3`,
  status: 'completed',
  work: 'import',
  pipeline_type: null,
  leads_count: 1240,
  processed_count: 1240,
  failed_count: 37,
  progress_percentage: 100,
  filename: 'prospects Q4 (final).xlsx',
  error: null,
  session_created_at: NOW,
  session_updated_at: NOW,
  completed_at: NOW,
}

export const DATASETS: Dataset[] = [
  DATASET,
  {
    ...DATASET,
    dataset_id: `${ID}4`,
    dataset_name: 'Trade fair 2026',
    filename: 'fair.csv',
    status: 'processing',
    progress_percentage: 42,
    reject_count: 0,
    row_count: 8000,
  },
  {
    ...DATASET,
    dataset_id: `${ID}5`,
    dataset_name: 'Old list',
    filename: 'old.xls',
    status: 'failed',
    error: 'The sheet has no rows.',
    reject_count: 0,
    row_count: 0,
  },
]

const SERVER = { host: 'smtp.example.com', port: 587, security: 'starttls' as const, username: 'ada' }

const MAILBOX: Mailbox = {
  mailbox_id: `${ID}1`,
  address: 'ada@example.com',
  name: 'Ada Lovelace',
  status: 'connected',
  smtp: SERVER,
  imap: { host: 'imap.example.com', port: 993, security: 'tls', username: 'ada' },
  oauth: null,
  limits: {
    daily_limit: 120,
    min_interval_seconds: 60,
    ramp_up: { start: 20, increase_per_day: 5 },
    today: 45,
    used_today: 31,
    used_by: [
      { campaign_id: `${ID}1`, campaign_name: 'Spring: founders', action_type: 'email', used: 24 },
      { campaign_id: `${ID}2`, campaign_name: 'A second word', action_type: 'email', used: 6 },
    ],
    timezone: 'Europe/Stockholm',
    resets_at: '2026-11-20T23:00:00.000Z',
  },
  signature: null,
  last_error: null,
  failing_cause: null,
  failing_since: null,
  next_try_at: null,
  last_checked_at: '2026-11-20T11:20:00.000Z',
  inbox_polled_at: '2026-11-20T11:20:00.000Z',
  inbox_error: null,
  reply_to: null,
  save_sent: true,
  sent_folder: null,
  sent_error: null,
  version: 1,
  created_at: NOW,
  updated_at: NOW,
}

export const MAILBOXES: Mailbox[] = [
  MAILBOX,
  {
    ...MAILBOX,
    mailbox_id: `${ID}2`,
    address: 'sales@example.com',
    name: null,
    imap: null,
    status: 'failing',
    last_error: '535 5.7.8 Authentication credentials invalid',
    failing_cause: 'sign_in',
    failing_since: NOW,
    next_try_at: NOW,
    limits: { ...MAILBOX.limits, ramp_up: null, today: 120, used_today: 0, used_by: [] },
  },
]

export const PROFILES: SenderProfile[] = [
  {
    id: `${ID}1`,
    user_id: `${ID}0`,
    workspace_id: `${ID}0`,
    profile_name: 'Ada, sales',
    description: 'For first contacts in the north.',
    sender_data: { data: { name: 'Ada Lovelace', title: 'Founder', phone: '+46 8 123' } },
    version: 1,
    created_at: NOW,
    updated_at: NOW,
    usage_count: 804,
    is_default: true,
  },
]

export const KEYS: ApiKey[] = [
  {
    id: `${ID}1`,
    name: 'CRM sync',
    key_prefix: 'opn_3f9a8b7c',
    scopes: ['read', 'write'],
    role: 'member',
    permissions: { campaigns: 'write', templates: 'read', datasets: 'read' },
    allowed_networks: ['198.51.100.0/24'],
    created_at: '2026-10-01T09:00:00.000Z',
    last_used_at: '2026-11-20T11:58:00.000Z',
    last_used_place: '198.51.100.0/24',
    expires_at: null,
    replaced_by: null,
    version: 1,
  },
  {
    id: `${ID}2`,
    name: 'Zapier',
    key_prefix: 'opn_77aa01fe',
    scopes: ['read'],
    role: null,
    permissions: null,
    allowed_networks: [],
    created_at: '2026-11-19T09:00:00.000Z',
    last_used_at: null,
    last_used_place: null,
    expires_at: null,
    replaced_by: null,
    version: 1,
  },
]
