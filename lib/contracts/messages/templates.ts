import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import {
  dateTime,
  editedVersion,
  emptyOrText,
  id,
  paging,
  pathId,
  text,
  version,
} from '#lib/contracts/fields'

export const TemplateContent = z.object({
  subject: emptyOrText(998).describe('Liquid and spintax, e.g. `Hello {{ first_name | default: "there" }}`.'),
  body: text(1, 100_000).describe(
    'Plain text or HTML, with Liquid and spintax. One HTML tag makes it HTML: it is kept and sent with the elements, attributes and addresses that a mail may carry, and the plain part is made from it.',
  ),
})

export const Template = z
  .object({
    template_id: id(),
    user_id: id(),
    workspace_id: id(),
    name: z.string(),
    content: z.object({ subject: z.string(), body: z.string() }),
    version: version(),
    created_at: dateTime(),
    updated_at: dateTime(),
  })
  .meta({ id: 'Template' })
export type Template = z.output<typeof Template>

export const TextHolder = z
  .object({ campaign_id: id(), name: z.string(), status: z.string() })
  .meta({ id: 'TextHolder' })
export type TextHolder = z.output<typeof TextHolder>

export const EditedTemplate = Template.extend({
  older_in: z.array(TextHolder).describe('Launched campaigns that use an older text.'),
}).meta({ id: 'EditedTemplate' })

const params = z.object({ template_id: pathId() })
const common = { tag: 'Templates', errors: 'flat' } as const

export const ListTemplates = contract({
  id: 'listTemplates',
  method: 'GET',
  path: '/templates/',
  ...common,
  summary: 'List templates',
  description: 'Newest first.',
  query: z.object(paging),
  response: z.object({ templates: z.array(Template), total: z.int() }),
  status: 200,
  errors: 'legacy',
  scope: 'read',
})

export const CreateTemplate = contract({
  id: 'createTemplate',
  method: 'POST',
  path: '/templates/',
  ...common,
  summary: 'Create a template',
  description: 'Opener parses the Liquid when you save; bad syntax is a 422 with line and column.',
  body: z.object({ name: text(1, 255), content: TemplateContent }),
  response: Template,
  status: 201,
  scope: 'write',
})

export const ReadTemplate = contract({
  id: 'readTemplate',
  method: 'GET',
  path: '/templates/{template_id}',
  ...common,
  summary: 'Read a template',
  params,
  response: Template,
  status: 200,
  scope: 'read',
  refusals: [404],
})

export const UpdateTemplate = contract({
  id: 'updateTemplate',
  method: 'PATCH',
  path: '/templates/{template_id}',
  ...common,
  summary: 'Change a template',
  description:
    'Only the fields you send change. Drafts use the new text immediately; a launched campaign keeps the text it was launched with. `older_in` lists the campaigns that do, and `POST /campaigns/{campaign_id}/adopt-templates` updates them.',
  params,
  body: z.object({
    name: text(1, 255).optional(),
    content: TemplateContent.partial().optional(),
    version: editedVersion(),
  }),
  response: EditedTemplate,
  status: 200,
  scope: 'write',
  refusals: [404, 409],
})

export const DeleteTemplate = contract({
  id: 'deleteTemplate',
  method: 'DELETE',
  path: '/templates/{template_id}',
  ...common,
  summary: 'Delete a template',
  description:
    '409 `template_in_use` while a campaign names it, unless that campaign is a draft or has ended.',
  params,
  response: null,
  status: 204,
  scope: 'write',
  refusals: [404, 409],
  destructive: true,
})

export const PreviewText = contract({
  id: 'previewText',
  method: 'POST',
  path: '/templates/preview',
  ...common,
  summary: 'Preview a text for a lead',
  description:
    'Renders an unsaved text for the lead at one position of the newest dataset, or for an invented lead if there is no dataset. `problems` says why it cannot be rendered; the text is then returned as given. Nothing is stored.',
  body: z.object({
    subject: z.string().max(998).default(''),
    body: z.string().max(100_000).default(''),
    lead_index: z.int().min(0).max(10_000_000).default(0).describe('Place in the dataset, from 0.'),
  }),
  response: z.object({
    to: z.string().nullable(),
    subject: z.string(),
    text: z.string(),
    html: z
      .string()
      .nullable()
      .describe('The HTML part, without signature and unsubscribe line; null if it cannot be rendered.'),
    problems: z.array(z.string()),
  }),
  status: 200,
  scope: 'read',
  rate: 'read',
})
