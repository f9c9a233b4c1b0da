import { z } from 'zod'
import { EditPreview } from '#lib/contracts/campaigns/edit-preview'
import { StepConfig, StepsConfig } from '#lib/contracts/campaigns/steps'
import { contract } from '#lib/contracts/contract'
import {
  dateTime,
  dateTimeInput,
  dryRun,
  editedVersion,
  id,
  optionalText,
  paging,
  pathId,
  sortBy,
  text,
  timeOfDay,
  timezone,
  version,
} from '#lib/contracts/fields'
import { SCHEDULE_TIMEZONES, SEND_DAYS } from '#lib/domain/calendar/schedule'
import { MAX_WINDOWS, windowProblems } from '#lib/domain/calendar/sending-windows'
import { CAMPAIGN_STATUSES } from '#lib/domain/campaigns/campaign-status'
import { CAMPAIGN_TYPES } from '#lib/domain/campaigns/campaign-type'
import { PAUSE_REASONS } from '#lib/domain/campaigns/pause-reasons'
import { SENDER_ROTATIONS } from '#lib/domain/campaigns/sender-rotation'
import { SKIP_EMAILS } from '#lib/domain/campaigns/skip-emails'
import { REVIEW_POLICIES } from '#lib/domain/personalize/review'

/** A minus sorts from the last; campaigns without the instant or leads always come last. */
export const CAMPAIGN_SORTS = [
  'created_at',
  '-created_at',
  'name',
  '-name',
  'status',
  '-status',
  'total_leads',
  '-total_leads',
  'sent_count',
  '-sent_count',
  'replied_count',
  '-replied_count',
  'bounced_count',
  '-bounced_count',
  'daily_limit',
  '-daily_limit',
  'next_slot_at',
  '-next_slot_at',
] as const

export const Campaign = z
  .object({
    campaign_id: id(),
    user_id: id(),
    workspace_id: id(),
    dataset_id: id(),
    name: z.string(),
    description: z.string().nullable(),
    type: z
      .enum(CAMPAIGN_TYPES)
      .describe(
        'Which steps it can contain: `email` no social steps, `social` no email steps, `mixed` both.',
      ),
    status: z.enum(CAMPAIGN_STATUSES),
    launch_type: z.enum(['immediate', 'scheduled']),
    start_date: dateTime().nullable(),
    daily_limit: z.int().describe('Maximum of actions in one window day of `timezone`.'),
    sending_window_start: z.string().describe('HH:MM:SS in `timezone`.'),
    sending_window_end: z
      .string()
      .describe('HH:MM:SS. Before the start: the window crosses midnight; equal: the whole day.'),
    sending_windows: z
      .array(z.object({ start: z.string(), end: z.string() }))
      .nullable()
      .describe(
        'The windows of a day where it has several; null: one, from `sending_window_start` to `sending_window_end`.',
      ),
    open_until: dateTime()
      .nullable()
      .describe('Somebody opened it once outside of its windows (`sendNowOnce`): until when. Else null.'),
    holiday_country: z
      .string()
      .nullable()
      .describe('Country whose public holidays are skipped like days that do not send; null: none are.'),
    holiday_region: z
      .string()
      .nullable()
      .describe('State or region of that country, whose own holidays are skipped too.'),
    min_interval_seconds: z.int(),
    timezone: z.string(),
    schedule_timezone: z
      .enum(SCHEDULE_TIMEZONES)
      .describe(
        'Whose clock windows, send days and holidays are read by: `campaign` that of `timezone`, `lead` that of each lead, and of `timezone` where a lead’s is not known. `daily_limit` then counts the dates of `timezone`.',
      ),
    send_days: z.array(z.enum(SEND_DAYS)),
    steps_config: z.array(StepConfig),
    alias_ids: z
      .array(z.string())
      .nullable()
      .describe('Mailbox ids; null: all connected mailboxes of the owner.'),
    connected_account_id: id()
      .nullable()
      .describe(
        'Account for social steps; null: all connected LinkedIn accounts of the owner, and each lead keeps the one that performed its first social step.',
      ),
    sender_rotation: z
      .enum(SENDER_ROTATIONS)
      .describe(
        'Which sender takes a new lead: `senders` the one with the most room that day, `members` one of the member who got the fewest leads of this campaign, by whom mailboxes and accounts are given to.',
      ),
    match_providers: z
      .boolean()
      .describe(
        'A new lead whose mail Google or Microsoft takes goes to a mailbox there first, if one is free at its slot; else as `sender_rotation` says. No lead waits for it.',
      ),
    total_leads: z.int().nullable(),
    processed_leads: z.int().describe('Leads that are neither pending nor active.'),
    launch_job_id: z.string().nullable(),
    launch_requested_at: dateTime().nullable(),
    launch_error: z.string().nullable(),
    system_prompt: z.string().nullable(),
    auto_variant_weights: z
      .boolean()
      .describe('Once a day, variants with more replies get more weight; each change is an event.'),
    unreviewed_launch_policy: z.enum(REVIEW_POLICIES),
    stop_on_company_reply: z
      .boolean()
      .describe(
        'A reply ends every lead of the same company domain; free email domains do not count as companies.',
      ),
    skip_emails: z
      .enum(SKIP_EMAILS)
      .describe(
        'Leads that it passes over for what verification found: `invalid` addresses, risky ones too, or nobody. Campaigns with social steps pass over nobody.',
      ),
    contact_policy_override: z
      .string()
      .nullable()
      .describe(
        'The reason why it does not wait for other campaigns that have the same people; null: it waits, by the contact policy.',
      ),
    bcc_address: z
      .string()
      .nullable()
      .describe(
        'Gets a copy of each email of the campaign, unseen by its recipients: the dropbox of a CRM. It counts against no limit, and is no contact of a person. While it is on the suppression list it gets none.',
      ),
    paused_reason: z.enum(PAUSE_REASONS).nullable(),
    playground_discovery_dismissed_at: dateTime().nullable(),
    next_slot_at: dateTime()
      .nullable()
      .describe('When dispatch checks this campaign next; null if nothing can become due.'),
    sent_count: z.int(),
    replied_count: z.int(),
    bounced_count: z.int(),
    complained_count: z.int().describe('Leads whose email provider reported a complaint.'),
    uncertain_count: z
      .int()
      .describe('Actions with an unknown outcome; they are never sent again automatically.'),
    launched_at: dateTime().nullable(),
    completed_at: dateTime().nullable(),
    version: version(),
    created_at: dateTime(),
    updated_at: dateTime(),
  })
  .meta({ id: 'Campaign' })
export type Campaign = z.output<typeof Campaign>

/** As members are shown it. */
export const OwnedCampaign = Campaign.extend({
  owner_name: z
    .string()
    .describe(
      'The member whose campaign it is: `user_id`, who made it, or who got it from a member that left.',
    ),
}).meta({ id: 'OwnedCampaign' })
export type OwnedCampaign = z.output<typeof OwnedCampaign>

export const EditedCampaign = Campaign.extend({
  edit_id: id()
    .nullable()
    .describe(
      'The edit of a launched campaign, which you can undo by this id; null for a draft or if nothing changed.',
    ),
}).meta({ id: 'EditedCampaign' })

const DAY_NAMES = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

function sendDay(value: unknown): unknown {
  const name = String(value).trim().toLowerCase()
  if (/^[1-7]$/.test(name)) return SEND_DAYS[Number(name) - 1]
  const index = DAY_NAMES.findIndex((day) => day === name || day.slice(0, 3) === name)
  return index < 0 ? value : SEND_DAYS[index]
}

/** Any case, full names and 1–7 (1 = Monday) in; mon … sun, each once and in week order, out. */
const sendDays = z
  .array(z.preprocess(sendDay, z.enum(SEND_DAYS)))
  .min(1)
  .max(50)
  .transform((days) => SEND_DAYS.filter((day) => days.includes(day)))

/** Several windows of one day: each ends after its start and before the next one's. */
const sendingWindows = z
  .array(z.object({ start: timeOfDay(), end: timeOfDay() }))
  .min(1)
  .max(MAX_WINDOWS)
  .superRefine((windows, context) => {
    for (const { index, field, message } of windowProblems(windows))
      context.addIssue({ code: 'custom', path: [index, field], message })
  })
  .nullable()
  .describe(
    'Several windows of one day, in order, such as 09:00–11:30 and 14:00–17:00. Sets `sending_window_start` to the first start and `sending_window_end` to the last end, whatever those say. Null, or left out where one of those is given: one window.',
  )

const code = (form: RegExp, error: string) =>
  z
    .string()
    .max(10)
    .transform((value) => value.trim().toUpperCase())
    .pipe(z.string().regex(form, error))

const fields = {
  dataset_id: id(),
  name: text(1, 255),
  description: text(0, 10_000).nullable(),
  type: z.enum(CAMPAIGN_TYPES),
  launch_type: z.enum(['immediate', 'scheduled']),
  start_date: dateTimeInput().nullable(),
  daily_limit: z.int().min(1).max(10_000),
  sending_window_start: timeOfDay(),
  sending_window_end: timeOfDay(),
  sending_windows: sendingWindows,
  holiday_country: code(/^[A-Z]{2}$/, 'must be a country code of two letters, such as DE').nullable(),
  holiday_region: code(/^[A-Z0-9-]{1,10}$/, 'must be the code of a state or region, such as BY').nullable(),
  min_interval_seconds: z.int().min(0).max(86_400),
  timezone: timezone(),
  schedule_timezone: z.enum(SCHEDULE_TIMEZONES),
  send_days: sendDays,
  steps_config: StepsConfig,
  alias_ids: z.array(id()).max(1_000).nullable(),
  connected_account_id: id().nullable(),
  sender_rotation: z.enum(SENDER_ROTATIONS),
  match_providers: z.boolean(),
  system_prompt: text(0, 20_000).nullable(),
  auto_variant_weights: z.boolean(),
  unreviewed_launch_policy: z.enum(REVIEW_POLICIES),
  stop_on_company_reply: z.boolean(),
  skip_emails: z.enum(SKIP_EMAILS),
  contact_policy_override: text(3, 500).nullable(),
  bcc_address: z.email().max(254).toLowerCase().nullable(),
}

const params = z.object({ campaign_id: pathId() })
const common = { tag: 'Campaigns', errors: 'legacy' } as const

const statusFilter = z.preprocess(
  (value) => (value === '' ? undefined : value),
  z.enum(CAMPAIGN_STATUSES).optional(),
)

export const ListCampaigns = contract({
  id: 'listCampaigns',
  method: 'GET',
  path: '/campaigns/',
  ...common,
  summary: 'List campaigns',
  description:
    'Newest first, unless `sort` sets another order. `search` matches part of a name, `name` the full name: use it to look for the campaign before you retry a failed create.',
  query: z.object({
    status_filter: statusFilter,
    status: statusFilter.describe('The same as `status_filter`.'),
    search: optionalText(),
    name: optionalText(),
    owner: z
      .preprocess((value) => (value === '' ? undefined : value), z.union([z.literal('me'), id()]).optional())
      .describe('Campaigns of one member: `me`, or their id.'),
    sort: sortBy(CAMPAIGN_SORTS),
    ...paging,
  }),
  response: z.object({
    campaigns: z.array(OwnedCampaign),
    total: z.int(),
    page: z.int(),
    page_size: z.int(),
  }),
  status: 200,
  scope: 'read',
})

export const CreateCampaign = contract({
  id: 'createCampaign',
  method: 'POST',
  path: '/campaigns/',
  ...common,
  summary: 'Create a campaign',
  description:
    'Creates a draft: nothing is sent before `launch`. `name` and `dataset_id` are required, all other fields have defaults. Dataset, templates, profiles and mailboxes must be your own.',
  example: {
    body: {
      name: 'Spring outreach',
      dataset_id: '0198f2a4-7b1c-7e3d-9a5f-2c4b6d8e0f13',
      timezone: 'Europe/Berlin',
      steps_config: [
        { subject: 'Hello {{ first_name }}', message_template: 'A word about {{ company }}?' },
        { delay_days: 3, message_template: 'Did my last message reach you?' },
      ],
    },
  },
  body: z.object({
    ...fields,
    description: fields.description.default(null),
    type: fields.type.default('email'),
    launch_type: fields.launch_type.default('immediate'),
    start_date: fields.start_date.default(null),
    daily_limit: fields.daily_limit.default(50),
    sending_window_start: fields.sending_window_start.default('09:00:00'),
    sending_window_end: fields.sending_window_end.default('17:00:00'),
    sending_windows: fields.sending_windows.default(null),
    holiday_country: fields.holiday_country.default(null),
    holiday_region: fields.holiday_region.default(null),
    min_interval_seconds: fields.min_interval_seconds.default(60),
    timezone: fields.timezone.default('UTC'),
    schedule_timezone: fields.schedule_timezone.default('campaign'),
    send_days: fields.send_days.default(['mon', 'tue', 'wed', 'thu', 'fri']),
    steps_config: fields.steps_config.default([]),
    alias_ids: fields.alias_ids.default(null),
    connected_account_id: fields.connected_account_id.default(null),
    sender_rotation: fields.sender_rotation.default('senders'),
    match_providers: fields.match_providers.default(false),
    system_prompt: fields.system_prompt.default(null),
    auto_variant_weights: fields.auto_variant_weights.default(false),
    unreviewed_launch_policy: fields.unreviewed_launch_policy.default('launch_default'),
    stop_on_company_reply: fields.stop_on_company_reply.default(false),
    skip_emails: fields.skip_emails.default('invalid'),
    contact_policy_override: fields.contact_policy_override.default(null),
    bcc_address: fields.bcc_address.default(null),
  }),
  response: Campaign,
  status: 201,
  scope: 'write',
  noted: ['contact_policy_override'],
})

export const ReadCampaign = contract({
  id: 'readCampaign',
  method: 'GET',
  path: '/campaigns/{campaign_id}',
  ...common,
  summary: 'Read a campaign',
  errors: 'flat',
  params,
  response: OwnedCampaign,
  status: 200,
  scope: 'read',
  refusals: [404],
})

export const UpdateCampaign = contract({
  id: 'updateCampaign',
  method: 'PATCH',
  path: '/campaigns/{campaign_id}',
  ...common,
  summary: 'Change a campaign',
  description:
    'You can change everything in a draft. In a scheduled or paused campaign, you can change everything but `dataset_id` and the steps that a lead has reached; this needs the scope `send`, because it changes what will be sent. Otherwise 409. `playground_discovery_dismissed_at` can be set at any time. A launched campaign keeps the texts of its templates; a step that names another template takes its current text.',
  errors: 'flat',
  params,
  query: z.object({ dry_run: dryRun() }),
  body: z
    .object({
      ...fields,
      playground_discovery_dismissed_at: dateTimeInput().nullable(),
      version: editedVersion(),
    })
    .partial(),
  response: EditedCampaign,
  dry_run: EditPreview,
  status: 200,
  scope: 'write',
  noted: ['contact_policy_override'],
  refusals: [404, 409],
})

export const DeleteCampaign = contract({
  id: 'deleteCampaign',
  method: 'DELETE',
  path: '/campaigns/{campaign_id}',
  ...common,
  summary: 'Delete a campaign',
  description:
    'Deletes the campaign with its leads and their history. Only a draft, paused, completed or failed campaign, otherwise 409.',
  errors: 'flat',
  params,
  response: null,
  status: 204,
  scope: 'write',
  refusals: [404, 409],
  destructive: true,
})

export const DuplicateCampaign = contract({
  id: 'duplicateCampaign',
  method: 'POST',
  path: '/campaigns/{campaign_id}/duplicate',
  ...common,
  summary: 'Duplicate a campaign',
  description:
    'Creates a draft with the same dataset, schedule, limits and steps, but without leads, start date or history. Default name: “Copy of” and the old name. Mailboxes that were removed since are left out.',
  errors: 'flat',
  params,
  body: z.object({ name: fields.name.optional() }).default({}),
  response: Campaign,
  status: 201,
  scope: 'write',
  shared: true,
  refusals: [404],
})
