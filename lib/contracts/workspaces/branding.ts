import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { editedVersion, id, text, version } from '#lib/contracts/fields'
import { inWorkspace } from '#lib/contracts/workspaces/workspaces'
import { darkerAccent } from '#lib/domain/workspaces/accent'

const MAX_LOGO_CHARS = 349_528

export const Branding = z
  .object({
    workspace_id: id(),
    name: z
      .string()
      .nullable()
      .describe('What clients see instead of the workspace’s name. Null: the workspace’s name.'),
    accent: z.string().nullable().describe('#rrggbb; null: the product’s.'),
    logo_url: z.string().nullable(),
    sender_name: z
      .string()
      .nullable()
      .describe('Sender name for notification and invitation emails. Null: `name`.'),
    reply_to: z.string().nullable().describe('Where replies to them go.'),
    sender_mailbox_id: id()
      .nullable()
      .describe('The mailbox they are sent from. Null: this instance’s sender.'),
    sender_address: z.string().nullable().describe('The address of that mailbox.'),
    report_domain: z
      .string()
      .nullable()
      .describe('The workspace domain for report links. Null: this instance’s.'),
    report_host: z
      .string()
      .nullable()
      .describe(
        '`reports.` plus `report_domain`, once its DNS record and the domain’s DKIM key are found. Until then, links use this instance’s host.',
      ),
    inherited_from: z
      .object({ workspace_id: id(), name: z.string() })
      .nullable()
      .describe('The parent whose branding is used because the workspace has none. Null: its own.'),
    version: version(),
  })
  .meta({ id: 'Branding' })
export type Branding = z.output<typeof Branding>

const accent = () =>
  z
    .string()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, 'must be a colour as #rrggbb')
    .superRefine((value, context) => {
      const nearest = darkerAccent(value)
      if (nearest)
        context.addIssue({
          code: 'custom',
          message: `must be dark enough for white text on it (contrast 4.5:1): the nearest is ${nearest}`,
        })
    })

/** A name that stands in a mail header. */
const headerName = () =>
  text(1, 60)
    .trim()
    .regex(/^[^\p{Cc}<>"@]*$/u, 'must have no line breaks, and none of < > " @')

const common = {
  tag: 'Workspaces',
  errors: 'flat',
  path: '/workspaces/{workspace_id}/branding',
  params: inWorkspace,
  response: Branding,
  status: 200,
  refusals: [404, 409],
} as const

export const ReadBranding = contract({
  ...common,
  id: 'readBranding',
  method: 'GET',
  summary: 'Read the branding of the workspace',
  description:
    'What clients, invited people and report readers see, and where notifications come from. If nothing is set, the parent’s branding as a whole (`inherited_from`), or null.',
  scope: 'read',
  refusals: [404],
})

export const UpdateBranding = contract({
  ...common,
  id: 'updateBranding',
  method: 'PATCH',
  summary: 'Change the branding of the workspace',
  description:
    'Omitted fields keep their values; null removes one. A workspace with any branding of its own uses none of its parent’s; without any, it uses the parent’s again. `logo` is a PNG, JPEG or WebP in base64, at most 256 KiB and 2048 × 2048 pixels, detected from its content; its metadata is removed. `accent` must be dark enough for white text. `sender_mailbox_id` is a mailbox of this workspace: notifications and invitations are sent from it while it works, otherwise from this instance’s sender, and do not count towards campaign limits. Account emails, such as password resets, always come from the instance. `report_domain` is a domain of `/domains`.',
  body: z
    .object({
      name: headerName().nullable(),
      accent: accent().nullable(),
      logo: z.base64().max(MAX_LOGO_CHARS, { abort: true }).nullable(),
      sender_name: headerName().nullable(),
      reply_to: z.email().max(254).nullable(),
      sender_mailbox_id: id().nullable(),
      report_domain: z.hostname().toLowerCase().max(253).nullable(),
      version: editedVersion(),
    })
    .partial(),
  scope: 'admin',
})
