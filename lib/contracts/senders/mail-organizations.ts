import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, editedVersion, id, pathId, text, version } from '#lib/contracts/fields'
import { isTenant, ORGANIZATION_REFUSALS } from '#lib/domain/domains/mail-organizations'
import { MAIL_VENDORS } from '#lib/domain/domains/mail-vendors'

const common = { tag: 'Mailboxes', errors: 'flat' } as const
const params = z.object({ organization_id: pathId() })

export const MAX_ORGANIZATION_ROWS = 100

const vendor = z.enum(MAIL_VENDORS)

export const MailOrganization = z
  .object({
    organization_id: id(),
    vendor,
    name: z.string(),
    client_id: z
      .string()
      .describe(
        'What the administrator allows: the service account’s number at Google, the application ID at Microsoft.',
      ),
    account: z.string().nullable().describe('The address of the service account.'),
    key_id: z.string().nullable().describe('Which of the service account’s keys is stored.'),
    tenant_id: z.string().nullable().describe('The directory of Microsoft.'),
    failing_cause: z
      .enum(['misconfigured', 'needs_admin'])
      .nullable()
      .describe(
        'Why its mailboxes are waiting. `misconfigured`: the key was refused. `needs_admin`: the organization does not allow it. Null: it works.',
      ),
    failing_said: z.string().nullable().describe('The provider’s response.'),
    failing_since: dateTime().nullable(),
    last_checked_at: dateTime().nullable(),
    mailboxes: z.int().describe('How many mailboxes are connected through it.'),
    version: version(),
    created_at: dateTime(),
    updated_at: dateTime(),
  })
  .meta({ id: 'MailOrganization' })
export type MailOrganization = z.output<typeof MailOrganization>

const fields = {
  name: text(1, 200),
  service_account_key: text(1, 20_000).describe(
    'The JSON key file, as text. The URLs in it are ignored; tokens come from Google’s own.',
  ),
  tenant_id: z
    .string()
    .max(253)
    .toLowerCase()
    .refine(isTenant, 'must be the ID of a directory, or one of its domains'),
  client_id: z.uuid().toLowerCase().describe('The application ID.'),
  client_secret: text(1, 500),
}

export const ReadMailOrganizations = contract({
  id: 'readMailOrganizations',
  method: 'GET',
  path: '/mail/organizations',
  ...common,
  summary: 'List organizations of mailboxes',
  description:
    'Organizations whose administrator lets this workspace use mailboxes without a sign-in for each.',
  response: z.object({
    items: z.array(MailOrganization),
    vendors: z
      .array(
        z.object({
          vendor,
          permissions: z.array(z.string()).describe('The exact permissions an administrator must allow.'),
        }),
      )
      .describe('Where an organization can be connected.'),
  }),
  status: 200,
  scope: 'read',
})
export type MailOrganizations = z.output<typeof ReadMailOrganizations.response>

export const CreateMailOrganization = contract({
  id: 'createMailOrganization',
  method: 'POST',
  path: '/mail/organizations',
  ...common,
  summary: 'Connect an organization',
  description:
    'By the key of a service account with domain-wide delegation (Google Workspace), or by an application with admin consent (Microsoft 365). The key is tested, stored encrypted and never returned. 409 `organization_key_refused` if the provider refuses it.',
  body: z.discriminatedUnion('vendor', [
    z.object({
      vendor: z.literal('google'),
      name: fields.name,
      service_account_key: fields.service_account_key,
    }),
    z.object({
      vendor: z.literal('microsoft'),
      name: fields.name,
      tenant_id: fields.tenant_id,
      client_id: fields.client_id,
      client_secret: fields.client_secret,
    }),
    z.object({ vendor: z.literal('sandbox'), name: fields.name }),
  ]),
  example: {
    body: {
      vendor: 'microsoft',
      name: 'Acme',
      tenant_id: 'acme.onmicrosoft.com',
      client_id: '6f1d6d0c-4a2b-4a52-9c0e-8d4b7a3e5f10',
      client_secret: 'the secret of the application',
    },
  },
  response: MailOrganization,
  status: 201,
  scope: 'write',
  refusals: [409, 503],
})

export const ReadMailOrganization = contract({
  id: 'readMailOrganization',
  method: 'GET',
  path: '/mail/organizations/{organization_id}',
  ...common,
  summary: 'Read an organization of mailboxes',
  params,
  response: MailOrganization,
  status: 200,
  scope: 'read',
  refusals: [404],
})

export const UpdateMailOrganization = contract({
  id: 'updateMailOrganization',
  method: 'PATCH',
  path: '/mail/organizations/{organization_id}',
  ...common,
  summary: 'Rename an organization, or replace its key',
  description:
    'Only the fields you send change. A new key is tested first, and waiting mailboxes continue immediately. `service_account_key` is Google’s; `tenant_id`, `client_id` and `client_secret` are Microsoft’s.',
  params,
  body: z.object({ ...fields, version: editedVersion() }).partial(),
  response: MailOrganization,
  status: 200,
  scope: 'write',
  refusals: [404, 409, 503],
})

export const DeleteMailOrganization = contract({
  id: 'deleteMailOrganization',
  method: 'DELETE',
  path: '/mail/organizations/{organization_id}',
  ...common,
  summary: 'Remove an organization',
  description: '409 `organization_in_use` while mailboxes are connected through it.',
  params,
  response: null,
  status: 204,
  scope: 'write',
  refusals: [404, 409],
  destructive: true,
})

export const ConnectOrganizationMailboxes = contract({
  id: 'connectOrganizationMailboxes',
  method: 'POST',
  path: '/mail/organizations/{organization_id}/mailboxes',
  ...common,
  summary: 'Connect mailboxes of an organization',
  description:
    'Each is checked with the provider before it is saved. Nothing is sent. The response has a result for each, and what to do about a refusal.',
  params,
  body: z.object({
    mailboxes: z
      .array(
        z.object({
          address: text(1, 320)
            .toLowerCase()
            .describe('An invalid address is refused on its own without affecting the others.'),
          name: text(1, 200).nullish().describe('The name recipients see next to the address.'),
        }),
      )
      .min(1)
      .max(MAX_ORGANIZATION_ROWS),
  }),
  example: { body: { mailboxes: [{ address: 'ana@example.com', name: 'Ana Silva' }] } },
  response: z.object({
    connected: z.int(),
    already: z.int(),
    refused: z.int(),
    rows: z.array(
      z.object({
        address: z.string(),
        outcome: z
          .enum(['connected', 'already', 'refused'])
          .describe('`already`: the workspace already has this mailbox, so it was not changed.'),
        mailbox_id: id().nullable(),
        cause: z.enum(ORGANIZATION_REFUSALS).nullable().describe('Why it was refused.'),
        remedy: z.string().nullable().describe('What to do about it.'),
        said: z.string().nullable().describe('The provider’s response.'),
      }),
    ),
  }),
  status: 200,
  scope: 'write',
  refusals: [404],
})
export type OrganizationRows = z.output<typeof ConnectOrganizationMailboxes.response>
