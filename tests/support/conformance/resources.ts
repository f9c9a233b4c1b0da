import type { Shape } from '#tests/support/conformance/shape'

const STATUSES = 'draft|launching|scheduled|active|draining|paused|completed|failed'

/** The resources of the interface document, field by field; a question mark: the field may be null, but is never left out. */
export const CAMPAIGN = {
  campaign_id: 'uuid',
  workspace_id: 'uuid',
  dataset_id: 'uuid',
  name: 'string',
  type: 'email|social|mixed',
  status: STATUSES,
  launch_type: 'immediate|scheduled',
  daily_limit: 'integer',
  sending_window_start: 'time',
  sending_window_end: 'time',
  min_interval_seconds: 'integer',
  timezone: 'string',
  steps_config: [
    {
      step: 'integer',
      delay_days: 'integer',
      channel: 'string',
      variants: [
        {
          label: 'string',
          weight: 'integer',
          type: 'string',
          template_id: 'uuid?',
          sender_profile_id: 'uuid?',
        },
      ],
      ai_personalization_enabled: 'boolean',
      track_clicks: 'boolean',
      action_type: 'string',
      message_template: 'string?',
    },
  ],
  send_days: ['mon|tue|wed|thu|fri|sat|sun'],
  created_at: 'date-time',
  updated_at: 'date-time',
  description: 'string?',
  start_date: 'date-time?',
  alias_ids: ['string', null],
  connected_account_id: 'uuid?',
  total_leads: 'integer?',
  processed_leads: 'integer',
  launch_job_id: 'string?',
  launch_requested_at: 'date-time?',
  launch_error: 'string?',
  system_prompt: 'string?',
  unreviewed_launch_policy: 'launch_default|hold|cancel',
  paused_reason: 'string?',
  playground_discovery_dismissed_at: 'date-time?',
} as const satisfies Shape

export const TEMPLATE = {
  template_id: 'uuid',
  workspace_id: 'uuid',
  name: 'string',
  content: { subject: 'string', body: 'string' },
  created_at: 'date-time',
  updated_at: 'date-time',
} as const satisfies Shape

export const DATASET = {
  dataset_id: 'string',
  source_type: 'string',
  row_count: 'integer',
  created_at: 'date-time',
  updated_at: 'date-time',
  session_id: 'string?',
  status: 'string?',
  pipeline_type: 'string?',
  leads_count: 'integer?',
  processed_count: 'integer?',
  failed_count: 'integer?',
  progress_percentage: 'number?',
  filename: 'string?',
  session_created_at: 'date-time?',
  session_updated_at: 'date-time?',
  completed_at: 'date-time?',
} as const satisfies Shape

export const SENDER_PROFILE = {
  workspace_id: 'string',
  profile_name: 'string',
  sender_data: { data: 'object' },
  id: 'string?',
  description: 'string?',
  created_at: 'date-time?',
  updated_at: 'date-time?',
  usage_count: 'integer',
  is_default: 'boolean',
} as const satisfies Shape

export const SOCIAL_POST = {
  id: 'uuid',
  workspace_id: 'uuid',
  status: 'draft|scheduled|publishing|published|failed',
  created_at: 'date-time',
  updated_at: 'date-time',
  connected_account_id: 'uuid?',
  provider_post_id: 'string?',
  social_id: 'string?',
  text: 'string?',
  share_url: 'string?',
  attachments: ['object'],
  is_repost: 'boolean',
  author_name: 'string?',
  author_id: 'string?',
  published_at: 'date-time?',
  scheduled_at: 'date-time?',
  retry_count: 'integer',
  last_error: 'string?',
  impressions: 'integer',
  reactions: 'integer',
  comments: 'integer',
  reposts: 'integer',
  metrics_updated_at: 'date-time?',
} as const satisfies Shape

export const POST_ACCOUNT = {
  id: 'uuid',
  provider: 'linkedin|whatsapp|instagram|telegram|twitter',
  name: 'string',
  avatar_url: 'string?',
  status: 'string',
} as const satisfies Shape

const CHECK = { status: 'string', checked_at: 'date-time?' } as const
export const MAIL_DOMAIN = {
  domain_id: 'uuid',
  domain: 'string',
  status: 'pending|verifying|verified|failed',
  dkim_selector: 'string',
  spf: CHECK,
  dkim: CHECK,
  dmarc: CHECK,
  mx: CHECK,
  tracking: CHECK,
  created_at: 'date-time',
  updated_at: 'date-time',
  verified_at: 'date-time?',
} as const satisfies Shape

export const DOMAIN_SETUP = {
  domain_id: 'uuid',
  domain: 'string',
  records: [
    {
      purpose: 'string',
      type: 'string',
      host: 'string',
      value: 'string',
      ttl_seconds: 'integer',
      required: 'boolean',
      status: 'found|missing|mismatch',
      found: ['string'],
    },
  ],
  ready: 'boolean',
  instructions: 'string',
} as const satisfies Shape

export const NOTIFICATION_PREFERENCES = {
  email_enabled: 'boolean',
  messaging_enabled: 'boolean',
  notify_on_reply: 'boolean',
  notify_on_bounce: 'boolean',
  notify_on_complaint: 'boolean',
  personal_email: 'string',
  messaging_number: 'string',
} as const satisfies Shape
