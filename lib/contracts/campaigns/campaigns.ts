import { z } from 'zod'
import { Campaign, EditedCampaign, OwnedCampaign } from '#lib/contracts/campaigns/campaign'
import { campaignFields } from '#lib/contracts/campaigns/campaign-fields'
import { EditPreview } from '#lib/contracts/campaigns/edit-preview'
import { contract } from '#lib/contracts/contract'
import {
  dateTimeInput,
  dryRun,
  editedVersion,
  id,
  optionalText,
  paging,
  pathId,
  sortBy,
} from '#lib/contracts/fields'
import { CAMPAIGN_STATUSES } from '#lib/domain/campaigns/campaign-status'

/** A leading minus sorts descending; campaigns without the instant, or without leads, always come last. */
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
    'Newest first, unless `sort` sets another order. `search` matches part of a name, `name` the full name. Use `name` to look for a campaign before retrying a failed create.',
  query: z.object({
    status_filter: statusFilter,
    status: statusFilter.describe('The same as `status_filter`.'),
    search: optionalText(),
    name: optionalText(),
    owner: z
      .preprocess((value) => (value === '' ? undefined : value), z.union([z.literal('me'), id()]).optional())
      .describe('Campaigns owned by one member: `me`, or their id.'),
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
    'Creates a draft. Nothing is sent until `launch`. `name` and `dataset_id` are required, all other fields have defaults. Dataset, templates, profiles and mailboxes must be your own.',
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
    ...campaignFields,
    description: campaignFields.description.default(null),
    type: campaignFields.type.default('email'),
    launch_type: campaignFields.launch_type.default('immediate'),
    start_date: campaignFields.start_date.default(null),
    daily_limit: campaignFields.daily_limit.default(50),
    sending_window_start: campaignFields.sending_window_start.default('09:00:00'),
    sending_window_end: campaignFields.sending_window_end.default('17:00:00'),
    sending_windows: campaignFields.sending_windows.default(null),
    holiday_country: campaignFields.holiday_country.default(null),
    holiday_region: campaignFields.holiday_region.default(null),
    min_interval_seconds: campaignFields.min_interval_seconds.default(60),
    timezone: campaignFields.timezone.default('UTC'),
    schedule_timezone: campaignFields.schedule_timezone.default('campaign'),
    send_days: campaignFields.send_days.default(['mon', 'tue', 'wed', 'thu', 'fri']),
    steps_config: campaignFields.steps_config.default([]),
    alias_ids: campaignFields.alias_ids.default(null),
    connected_account_id: campaignFields.connected_account_id.default(null),
    sender_rotation: campaignFields.sender_rotation.default('senders'),
    match_providers: campaignFields.match_providers.default(false),
    system_prompt: campaignFields.system_prompt.default(null),
    auto_variant_weights: campaignFields.auto_variant_weights.default(false),
    unreviewed_launch_policy: campaignFields.unreviewed_launch_policy.default('launch_default'),
    stop_on_company_reply: campaignFields.stop_on_company_reply.default(false),
    skip_emails: campaignFields.skip_emails.default('invalid'),
    contact_policy_override: campaignFields.contact_policy_override.default(null),
    bcc_address: campaignFields.bcc_address.default(null),
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
    'You can change everything in a draft. In a scheduled or paused campaign, you can change everything except `dataset_id` and steps that leads have reached. This needs the scope `send`, because it changes what will be sent. Otherwise 409. `playground_discovery_dismissed_at` can be set at any time. A launched campaign keeps its template texts. A step that switches to another template uses its current text.',
  errors: 'flat',
  params,
  query: z.object({ dry_run: dryRun() }),
  body: z
    .object({
      ...campaignFields,
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
    'Creates a draft with the same dataset, schedule, limits and steps, but without leads, start date or history. Default name: “Copy of” plus the old name. Removed mailboxes are left out.',
  errors: 'flat',
  params,
  body: z.object({ name: campaignFields.name.optional() }).default({}),
  response: Campaign,
  status: 201,
  scope: 'write',
  shared: true,
  refusals: [404],
})
