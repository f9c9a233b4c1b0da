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
