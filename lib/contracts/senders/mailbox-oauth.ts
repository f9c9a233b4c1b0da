import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { id, text } from '#lib/contracts/fields'
import { Mailbox } from '#lib/contracts/senders/mailbox'
import { MAIL_ROUTES, MAIL_VENDORS } from '#lib/domain/domains/mail-vendors'

const common = { tag: 'Mailboxes', errors: 'flat' } as const
const vendor = z.enum(MAIL_VENDORS)

export const ReadMailVendors = contract({
  id: 'readMailVendors',
  method: 'GET',
  path: '/mail/oauth/vendors',
  ...common,
  summary: 'List OAuth providers for mailboxes',
  description:
    'Each installation needs its own OAuth client. This lists what to register and whether this instance has one.',
  response: z.object({
    items: z.array(
      z.object({
        vendor,
        route: z
          .enum(MAIL_ROUTES)
          .describe('The default route for mailboxes: SMTP and IMAP, or the provider’s API.'),
        is_ready: z.boolean().describe('Whether this instance has an OAuth client for it.'),
        redirect_uri: z.string().describe('Register exactly this address.'),
        scopes: z.array(z.string()).describe('Scopes requested for that route.'),
        api_scopes: z.array(z.string()).describe('Additional scopes requested when a mailbox uses the API.'),
        admin_consent_url: z
          .string()
          .nullable()
          .describe('Where a Microsoft administrator allows it for the whole organization.'),
      }),
    ),
  }),
  status: 200,
  scope: 'read',
})
export type MailVendorSetup = z.output<typeof ReadMailVendors.response>['items'][number]

export const AuthorizeMailbox = contract({
  id: 'authorizeMailbox',
  method: 'POST',
  path: '/mail/oauth/authorize',
  ...common,
  summary: 'Start connecting a mailbox with OAuth',
  description:
    'The signed-in person opens `url` once, in the same browser, within 10 minutes. With `mailbox_id`, that mailbox is reconnected. Requires a browser session token.',
  body: z.object({
    vendor,
    mailbox_id: id().nullish(),
    route: z
      .enum(MAIL_ROUTES)
      .nullish()
      .describe(
        '`api`: over the Gmail API or Microsoft Graph, for when SMTP is blocked. Default: the instance’s setting.',
      ),
    address: z.email().max(320).toLowerCase().nullish().describe('Suggested at sign-in.'),
  }),
  response: z.object({ url: z.string(), vendor }),
  status: 200,
  scope: 'write',
  jwt_only: true,
  refusals: [404, 503],
})

export const CompleteMailboxOAuth = contract({
  id: 'completeMailboxOAuth',
  method: 'POST',
  path: '/mail/oauth/complete',
  ...common,
  summary: 'Finish connecting a mailbox with OAuth',
  description:
    'Exchanges what the provider added to the redirect address for a mailbox. The redirect page does this itself. 409 `grant_invalid` if the link was used, has expired, or belongs to another session.',
  body: z.object({ vendor, query: text(1, 8_000).describe('Everything after `?`.') }),
  response: Mailbox,
  status: 200,
  scope: 'write',
  jwt_only: true,
  refusals: [404, 409, 502, 503],
})
