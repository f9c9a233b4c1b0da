import { z } from 'zod'
import { areInOrder, Rate, WRONG_ORDER } from '#lib/contracts/campaigns/campaign-analytics'
import { contract } from '#lib/contracts/contract'
import { exportQuery, fileAnswer, id } from '#lib/contracts/fields'

const Counts = {
  sent: z.int().describe('Accepted by the provider. For a social step: performed.'),
  replied: z.int(),
  bounced: z.int(),
  unsubscribed: z.int(),
}

const Rated = {
  ...Counts,
  contacted: z.int().describe('Leads contacted, each counted once. Uncertain sends count too.'),
  reply_rate: Rate.describe('Out of leads contacted.'),
  bounce_rate: Rate.describe('Out of emails attempted.'),
}

const Totals = z.object(Rated).meta({ id: 'AnalyticsTotals' })

const day = (which: string) =>
  z
    .preprocess((value) => (value === '' ? undefined : value), z.iso.date().optional())
    .describe(`${which} to include, in the workspace’s time zone: 2026-03-02.`)

const ReplyHours = z
  .object({
    median: z.number().nullable(),
    p75: z.number().nullable(),
    p90: z.number().nullable(),
    buckets: z
      .array(
        z.object({
          from: z.int(),
          to: z.int().nullable().describe('Null: and later.'),
          replies: z.int(),
        }),
      )
      .describe(
        'Replies that took at least `from` and less than `to` hours. They add up to `totals.replied`.',
      ),
  })
  .describe(
    'Hours from the last message sent to a lead until their first reply: half came within the median, 75 % within `p75`, 90 % within `p90`. Out-of-office notices and bounces do not count.',
  )
  .meta({ id: 'ReplyHours' })

export const WorkspaceAnalytics = z
  .object({
    timezone: z.string(),
    from: z.iso.date(),
    to: z.iso.date(),
    totals: Totals,
    previous: Totals.describe('The same for the preceding period of equal length.'),
    reply_hours: ReplyHours,
    days: z.array(z.object({ date: z.iso.date(), ...Counts })).describe('Every day, including empty ones.'),
    hours: z
      .array(
        z.object({
          weekday: z.int().describe('1 is Monday.'),
          hour: z.int().describe('0 to 23.'),
          sent: z.int(),
          replied: z.int().describe('Replies to messages sent at that hour.'),
        }),
      )
      .describe('Hours of the week with sends.'),
    campaigns: z.array(z.object({ campaign_id: id(), name: z.string(), ...Rated })),
    senders: z.array(
      z.object({ sender_id: id(), kind: z.enum(['mailbox', 'account']), name: z.string(), ...Rated }),
    ),
    datasets: z.array(z.object({ dataset_id: id(), name: z.string(), ...Rated })),
    members: z
      .array(z.object({ user_id: id().nullable(), name: z.string(), ...Rated }))
      .describe('By campaign owner.'),
  })
  .meta({ id: 'WorkspaceAnalytics' })
export type WorkspaceAnalytics = z.output<typeof WorkspaceAnalytics>

const only = (which: string) =>
  z.preprocess((value) => (value === '' ? undefined : value), id().optional()).describe(`Only what ${which}.`)

/** Which actions of a workspace are counted, with their results. */
export const AnalyticsFilters = z.object({
  from: day('First day'),
  to: day('Last day'),
  campaign_id: only('this campaign sent'),
  dataset_id: only('campaigns on this dataset sent'),
  sender_id: only('this mailbox or account sent'),
  user_id: only('campaigns of this member sent'),
})
export type AnalyticsFilters = z.output<typeof AnalyticsFilters>

export const ReadWorkspaceAnalytics = contract({
  id: 'readWorkspaceAnalytics',
  method: 'GET',
  path: '/analytics',
  tag: 'Campaigns',
  summary: 'Read the analytics of all campaigns',
  description:
    'Messages sent from `from` to `to` and their results, whenever those came. Default: the last 30 days. Maximum: the last 366. Replies, bounces and unsubscribes count on the day, hour and sender of the action they are credited to. Groups list the most contacted first, up to 100 each.',
  query: AnalyticsFilters.refine(areInOrder, WRONG_ORDER),
  response: WorkspaceAnalytics,
  status: 200,
  errors: 'flat',
  scope: 'read',
})

export const ExportWorkspaceAnalytics = contract({
  id: 'exportWorkspaceAnalytics',
  method: 'GET',
  path: '/analytics/export',
  tag: 'Campaigns',
  summary: 'Export the analytics of all campaigns',
  description:
    'The data of `/analytics` with the same filters, as one table. The first column, `group`, is the row’s type: total, previous, time_to_reply, day, hour, campaign, mailbox, account, dataset or member. CSV is UTF-8 with a byte order mark. Cells that look like formulas start with an apostrophe.',
  query: exportQuery().extend(AnalyticsFilters.shape).refine(areInOrder, WRONG_ORDER),
  response: fileAnswer(),
  file: true,
  status: 200,
  errors: 'flat',
  scope: 'read',
})
