import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { editedVersion, id, text, version } from '#lib/contracts/fields'
import { inWorkspace } from '#lib/contracts/workspaces/workspaces'
import { darkerAccent } from '#lib/domain/workspaces/accent'

const MAX_LOGO_CHARS = 349_528

export const Branding = z
  .object({
    workspace_id: id(),
    name: z.string().nullable().describe('What clients read in place of the workspace’s name; null: that.'),
    accent: z.string().nullable().describe('#rrggbb; null: the product’s.'),
    logo_url: z.string().nullable(),
    sender_name: z
      .string()
      .nullable()
      .describe('The name that notifications and invitations by email come from; null: `name`.'),
    reply_to: z.string().nullable().describe('Where replies to them go.'),
    sender_mailbox_id: id()
      .nullable()
      .describe('The mailbox that they leave from; null: the sender of this instance.'),
    sender_address: z.string().nullable().describe('The address of that mailbox.'),
    report_domain: z
      .string()
      .nullable()
      .describe(
        'The domain of the workspace under which its report links are opened; null: this instance’s.',
      ),
    report_host: z
      .string()
      .nullable()
      .describe(
        '`reports.` below `report_domain`, once its DNS record and the domain’s DKIM key are found. Until then links have this instance’s host.',
      ),
    inherited_from: z
      .object({ workspace_id: id(), name: z.string() })
      .nullable()
      .describe(
        'The parent whose branding this is, since the workspace has chosen nothing itself; null: its own.',
      ),
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

/** Of what stands in a header of a mail. */
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
    'What clients, invited people and readers of reports see, and where notices come from. Where nothing was chosen: that of the parent as a whole (`inherited_from`), or null.',
  scope: 'read',
  refusals: [404],
})

export const UpdateBranding = contract({
  ...common,
  id: 'updateBranding',
  method: 'PATCH',
  summary: 'Change the branding of the workspace',
  description:
    'Fields that you leave out stay; null removes one. A workspace that has chosen any of them shows nothing of its parent’s; one without any shows the parent’s again. `logo` is a PNG, JPEG or WebP in base64, at most 256 KiB and 2048 × 2048 pixels, judged by its content; its metadata is removed. `accent` must be dark enough for white text. `sender_mailbox_id` is a mailbox of this workspace: notifications and invitations leave from it while it works, else from the sender of this instance, and count towards no limit of campaigns. Mail about an account, as for a new password, always comes from the instance. `report_domain` is a domain of `/domains`.',
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
