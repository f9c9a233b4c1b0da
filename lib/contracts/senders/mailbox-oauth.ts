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
  summary: 'List where mailboxes connect by OAuth',
  description:
    'Each installation brings its own OAuth client. This is what its registration asks for, and whether this instance has one.',
  response: z.object({
    items: z.array(
      z.object({
        vendor,
        route: z
          .enum(MAIL_ROUTES)
          .describe(
            'Which way mailboxes go unless asked otherwise: over SMTP and IMAP, or over the vendor’s API.',
          ),
        is_ready: z.boolean().describe('Whether this instance has an OAuth client there.'),
        redirect_uri: z.string().describe('Register exactly this address.'),
        scopes: z.array(z.string()).describe('Asked for on that way.'),
        api_scopes: z
          .array(z.string())
          .describe('Asked for beside the sign-in’s own where a mailbox goes over the API.'),
        admin_consent_url: z
          .string()
          .nullable()
          .describe('Where an administrator of a Microsoft organization allows it for everybody.'),
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
  summary: 'Begin to connect a mailbox by OAuth',
  description:
    'The signed-in person opens `url` in the same browser, within 10 minutes and once. With `mailbox_id` that mailbox is reconnected. Needs the token of a browser’s session.',
  body: z.object({
    vendor,
    mailbox_id: id().nullish(),
    route: z
      .enum(MAIL_ROUTES)
      .nullish()
      .describe(
        '`api`: over the Gmail API or Microsoft Graph, where SMTP is closed. Default: as the instance says.',
      ),
    address: z.email().max(320).toLowerCase().nullish().describe('Offered first at the sign-in.'),
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
  summary: 'Complete to connect a mailbox by OAuth',
  description:
    'What the vendor added to the redirect address becomes a mailbox. The redirect address does this itself; 409 `grant_invalid` for a link that was used, has expired, or belongs to another session.',
  body: z.object({ vendor, query: text(1, 8_000).describe('Everything after `?`.') }),
  response: Mailbox,
  status: 200,
  scope: 'write',
  jwt_only: true,
  refusals: [404, 409, 502, 503],
})
