import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, id, pathId, text } from '#lib/contracts/fields'
import { SPAM_LEVELS } from '#lib/domain/domains/counted/postmaster'

const POSTMASTER_VENDORS = ['google', 'sandbox'] as const
const vendor = z
  .enum(POSTMASTER_VENDORS)
  .describe('`sandbox`: made up, because this instance has no Google client.')

const share = z.number().min(0).max(1).nullable()

export const PostmasterDays = z.array(
  z.object({
    date: z.iso.date(),
    spam: share.describe('Share of inboxed email that people reported as spam.'),
    spf: share.describe('Passed SPF.'),
    dkim: share.describe('Passed DKIM.'),
    dmarc: share.describe('Passed DMARC.'),
    rejected: share.describe('Refused for good.'),
    deferred: share.describe('Refused for now.'),
    low_reputation: share.describe('Permanently refused because of the domain’s reputation.'),
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
          .describe('Why nothing is read until somebody signs in again. Null while it works.'),
        next_read_at: dateTime(),
      })
      .nullable()
      .describe('The account used for the workspace’s domains. Null: none is connected.'),
    vendor: vendor
      .nullable()
      .describe('Where sign-in takes place. Null: this instance has no Google client.'),
    redirect_uri: z.string().describe('Register exactly this address.'),
    scope: z.string().describe('The scopes requested at sign-in.'),
    read_at: dateTime().nullable(),
    said: z.string().nullable().describe('Why the last read failed. Null if it succeeded.'),
    days: PostmasterDays.describe(
      'Of the last 30 days, those counted by Gmail, oldest first, as fractions of 1. Null: too little email.',
    ),
    spam: z
      .object({
        level: z.enum(SPAM_LEVELS).describe('`high` from 0.1 %, `too_high` from 0.3 %.'),
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
  summary: 'Read Gmail’s figures for a domain',
  description:
    'Spam rate, authentication and delivery errors by day from Google’s Postmaster Tools (API v2), read twice a day through a connected account. Google no longer reports reputation there; `low_reputation` is what it refuses because of it.',
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
  summary: 'Start connecting Postmaster Tools',
  description:
    'The signed-in person opens `url` once, in the same browser, within 10 minutes, and returns to the domain page. It asks only to read Postmaster Tools. Requires a browser session token.',
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
  summary: 'Finish connecting Postmaster Tools',
  description:
    'Exchanges what Google added to the redirect address for the workspace’s account, and reads its domains. The redirect page does this itself. 409 `grant_invalid` if the link was used, has expired, or belongs to another session.',
  body: z.object({ query: text(1, 8_000).describe('Everything after `?`.') }),
  response: z.object({ domain_id: id().describe('The page that started it.'), vendor, address: z.string() }),
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
  description: 'Revokes access at Google and deletes the data read.',
  response: null,
  status: 204,
  scope: 'write',
  refusals: [404],
  destructive: true,
})
