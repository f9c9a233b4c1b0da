import { z } from 'zod'
import { StepConfig } from '#lib/contracts/campaigns/steps'
import { dateTime, id, version } from '#lib/contracts/fields'
import { SCHEDULE_TIMEZONES, SEND_DAYS } from '#lib/domain/calendar/schedule'
import { CAMPAIGN_STATUSES } from '#lib/domain/campaigns/campaign-status'
import { CAMPAIGN_TYPES } from '#lib/domain/campaigns/campaign-type'
import { PAUSE_REASONS } from '#lib/domain/campaigns/pause-reasons'
import { SENDER_ROTATIONS } from '#lib/domain/campaigns/sender-rotation'
import { SKIP_EMAILS } from '#lib/domain/campaigns/skip-emails'
import { REVIEW_POLICIES } from '#lib/domain/personalize/review'

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
      .describe('Which steps it can contain: `email` only email, `social` only social, `mixed` both.'),
    status: z.enum(CAMPAIGN_STATUSES),
    launch_type: z.enum(['immediate', 'scheduled']),
    start_date: dateTime().nullable(),
    daily_limit: z.int().describe('Maximum actions per window day in `timezone`.'),
    sending_window_start: z.string().describe('HH:MM:SS in `timezone`.'),
    sending_window_end: z
      .string()
      .describe('HH:MM:SS. If before the start, the window crosses midnight. If equal, it lasts all day.'),
    sending_windows: z
      .array(z.object({ start: z.string(), end: z.string() }))
      .nullable()
      .describe(
        'The day’s windows if there are several. Null: one, from `sending_window_start` to `sending_window_end`.',
      ),
    open_until: dateTime()
      .nullable()
      .describe(
        'If opened once outside its windows (`sendNowOnce`), the time until which it sends. Otherwise null.',
      ),
    holiday_country: z.string().nullable().describe('Country whose public holidays are skipped. Null: none.'),
    holiday_region: z
      .string()
      .nullable()
      .describe('State or region in that country whose holidays are skipped too.'),
    min_interval_seconds: z.int(),
    timezone: z.string(),
    schedule_timezone: z
      .enum(SCHEDULE_TIMEZONES)
      .describe(
        'The time zone used for windows, send days and holidays: `campaign` uses `timezone`; `lead` uses each lead’s own, or `timezone` if unknown, and counts `daily_limit` by date in `timezone`.',
      ),
    send_days: z.array(z.enum(SEND_DAYS)),
    steps_config: z.array(StepConfig),
    alias_ids: z
      .array(z.string())
      .nullable()
      .describe('Mailbox ids. Null: all the owner’s connected mailboxes.'),
    connected_account_id: id()
      .nullable()
      .describe(
        'Account for social steps. Null: all the owner’s connected LinkedIn accounts. Each lead keeps the one that performed its first social step.',
      ),
    sender_rotation: z
      .enum(SENDER_ROTATIONS)
      .describe(
        'Which sender gets a new lead: `senders` the one with the most capacity that day, `members` one belonging to the member with the fewest leads in this campaign.',
      ),
    match_providers: z
      .boolean()
      .describe(
        'New leads on Google or Microsoft go to a mailbox at the same provider if one is free, otherwise by `sender_rotation`. No lead waits for it.',
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
        'A reply ends every lead at the same company domain. Free email domains do not count as companies.',
      ),
    skip_emails: z
      .enum(SKIP_EMAILS)
      .describe(
        'Leads to skip based on verification: `invalid` addresses, risky ones too, or none. Campaigns with social steps skip nobody.',
      ),
    contact_policy_override: z
      .string()
      .nullable()
      .describe(
        'Why it does not wait for other campaigns with the same people, and writes to people who have left. Null: it keeps to the contact policy.',
      ),
    bcc_address: z
      .string()
      .nullable()
      .describe(
        'Receives a hidden copy of each campaign email, for example a CRM dropbox. Copies do not count towards limits or as contact. While it is on the suppression list, it gets none.',
      ),
    paused_reason: z.enum(PAUSE_REASONS).nullable(),
    playground_discovery_dismissed_at: dateTime().nullable(),
    next_slot_at: dateTime()
      .nullable()
      .describe('When this campaign is checked next. Null if nothing can become due.'),
    sent_count: z.int(),
    replied_count: z.int(),
    bounced_count: z.int(),
    complained_count: z.int().describe('Leads whose email provider reported a complaint.'),
    uncertain_count: z
      .int()
      .describe('Actions with an unknown outcome. They are never sent again automatically.'),
    launched_at: dateTime().nullable(),
    completed_at: dateTime().nullable(),
    version: version(),
    created_at: dateTime(),
    updated_at: dateTime(),
  })
  .meta({ id: 'Campaign' })
export type Campaign = z.output<typeof Campaign>

/** The campaign as members see it. */
export const OwnedCampaign = Campaign.extend({
  owner_name: z
    .string()
    .describe('The campaign’s owner: the member who created it, or took it over from a member who left.'),
}).meta({ id: 'OwnedCampaign' })
export type OwnedCampaign = z.output<typeof OwnedCampaign>

export const EditedCampaign = Campaign.extend({
  edit_id: id()
    .nullable()
    .describe(
      'The edit of a launched campaign. Use this id to undo it. Null for a draft or if nothing changed.',
    ),
}).meta({ id: 'EditedCampaign' })
