import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, id, pathId, text } from '#lib/contracts/fields'
import { SPAM_LEVELS } from '#lib/domain/domains/counted/postmaster'

const POSTMASTER_VENDORS = ['google', 'sandbox'] as const
const vendor = z
  .enum(POSTMASTER_VENDORS)
  .describe('`sandbox`: made up by this instance, where it has no client at Google.')

const share = z.number().min(0).max(1).nullable()

export const PostmasterDays = z.array(
  z.object({
    date: z.iso.date(),
    spam: share.describe('Reported as spam by people, of what came into inboxes.'),
    spf: share.describe('Passed SPF.'),
    dkim: share.describe('Passed DKIM.'),
    dmarc: share.describe('Passed DMARC.'),
    rejected: share.describe('Refused for good.'),
    deferred: share.describe('Refused for now.'),
    low_reputation: share.describe('Refused for good because of the reputation of the domain.'),
  }),
)

export const PostmasterSummary = z
  .object({
    domain_id: id(),
    domain: z.string(),
    account: z
      .object({
        vendor,
        address: z.string(),
        ended_said: z
          .string()
          .nullable()
          .describe('Why nothing is read until somebody signs in again; null while it works.'),
        next_read_at: dateTime(),
      })
      .nullable()
      .describe('By which the domains of the workspace are read; null: none is connected.'),
    vendor: vendor.nullable().describe('Where a sign-in leads; null: this instance has no client at Google.'),
    redirect_uri: z.string().describe('Register exactly this address.'),
    scope: z.string().describe('What a sign-in asks for.'),
    read_at: dateTime().nullable(),
    said: z.string().nullable().describe('Why nothing was read the last time; null: it was.'),
    days: PostmasterDays.describe(
      'Of the last 30 those that Gmail counted, the oldest first, as shares of 1. Null: too little mail.',
    ),
    spam: z
      .object({
        level: z.enum(SPAM_LEVELS).describe('`high` from 0.1 % on, `too_high` from 0.3 % on.'),
        date: z.iso.date(),
        spam: z.number(),
        warning: z.string().nullable(),
      })
      .nullable()
      .describe('The worst of the last seven days.'),
  })
  .meta({ id: 'PostmasterSummary' })
export type PostmasterSummary = z.output<typeof PostmasterSummary>

const common = { tag: 'Domains', errors: 'flat' } as const

export const ReadPostmaster = contract({
  ...common,
  id: 'readPostmaster',
  method: 'GET',
  path: '/mail/domains/{domain_id}/postmaster',
  summary: 'Read what Gmail counts of a domain',
  description:
    'Spam rate, authentication and delivery errors by day, of Google’s Postmaster Tools (API v2), which this instance reads twice a day by a connected account. Google says no reputation there any more; `low_reputation` is what it refuses for it.',
  params: z.object({ domain_id: pathId() }),
  response: PostmasterSummary,
  status: 200,
  scope: 'read',
  refusals: [404],
})

export const AuthorizePostmaster = contract({
  ...common,
  id: 'authorizePostmaster',
  method: 'POST',
  path: '/mail/postmaster/authorize',
  summary: 'Begin to connect Postmaster Tools',
  description:
    'The signed-in person opens `url` in the same browser, within 10 minutes and once, and comes back to the page of the domain. It asks for reading of Postmaster Tools and nothing else. Needs the token of a browser’s session.',
  body: z.object({ domain_id: id() }),
  response: z.object({ url: z.string(), vendor }),
  status: 200,
  scope: 'write',
  jwt_only: true,
  refusals: [404, 503],
})

export const CompletePostmaster = contract({
  ...common,
  id: 'completePostmaster',
  method: 'POST',
  path: '/mail/postmaster/complete',
  summary: 'Complete to connect Postmaster Tools',
  description:
    'What Google added to the redirect address becomes the account of the workspace, and its domains are read. The redirect address does this itself; 409 `grant_invalid` for a link that was used, has expired, or belongs to another session.',
  body: z.object({ query: text(1, 8_000).describe('Everything after `?`.') }),
  response: z.object({ domain_id: id().describe('Where it was asked for.'), vendor, address: z.string() }),
  status: 200,
  scope: 'write',
  jwt_only: true,
  refusals: [409, 502, 503],
})

export const DisconnectPostmaster = contract({
  ...common,
  id: 'disconnectPostmaster',
  method: 'DELETE',
  path: '/mail/postmaster',
  summary: 'Disconnect Postmaster Tools',
  description: 'Google is told that nobody needs the account any more, and what was read is deleted.',
  response: null,
  status: 204,
  scope: 'write',
  refusals: [404],
  destructive: true,
})
