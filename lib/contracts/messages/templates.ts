import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import {
  dateTime,
  editedVersion,
  emptyOrText,
  freeForm,
  id,
  optionalText,
  paging,
  pathId,
  sortBy,
  text,
  version,
} from '#lib/contracts/fields'
import { attachmentIds, LeadFiles } from '#lib/contracts/messages/attachments'

export const TemplateContent = z.object({
  subject: emptyOrText(998).describe('Liquid and spintax, e.g. `Hello {{ first_name | default: "there" }}`.'),
  body: text(1, 100_000).describe(
    'Plain text or HTML, with Liquid and spintax. One HTML tag makes it HTML: it is kept and sent with the elements, attributes and addresses that a mail may carry, and the plain part is made from it.',
  ),
  attachment_ids: attachmentIds()
    .optional()
    .describe(
      'Files that travel with each email made of it, as for answers in the inbox; not with a text that is inserted there. A shared template has none. Absent in a change: as they are.',
    ),
  lead_files: LeadFiles.nullable()
    .optional()
    .describe(
      'Files of which each lead gets its own: the one whose name its `column` says, with or without the ending, as the end of a path or a link too; A to Z in any case. Nothing is fetched. It travels behind those of `attachment_ids`, and together with the largest of these files they take what an email takes. A shared template has none. Null: none. Absent in a change: as they are.',
    ),
})

export const Template = z
  .object({
    template_id: id(),
    user_id: id(),
    workspace_id: id(),
    name: z.string(),
    content: z.object({
      subject: z.string(),
      body: z.string(),
      attachment_ids: z.array(id()).optional().describe('Absent: it has no files.'),
      lead_files: LeadFiles.optional().describe('Absent: no lead gets a file of its own.'),
    }),
    is_shared: z.boolean().describe('Of a parent: whether its children use it too.'),
    inherited_from: z
      .object({ workspace_id: id(), name: z.string() })
      .nullable()
      .describe('The parent workspace that shares it, and where it is changed; null: this workspace.'),
    version: version(),
    created_at: dateTime(),
    updated_at: dateTime(),
  })
  .meta({ id: 'Template' })
export type Template = z.output<typeof Template>
/** As the steps of a campaign show it: what it was launched with may be all that is left. */
export type StepTemplate = Pick<Template, 'template_id' | 'name' | 'content' | 'inherited_from'> & {
  is_gone?: boolean
}

export const TextHolder = z
  .object({ campaign_id: id(), name: z.string(), status: z.string() })
  .meta({ id: 'TextHolder' })
export type TextHolder = z.output<typeof TextHolder>

export const EditedTemplate = Template.extend({
  older_in: z.array(TextHolder).describe('Launched campaigns that use an older text.'),
}).meta({ id: 'EditedTemplate' })

const params = z.object({ template_id: pathId() })
const common = { tag: 'Templates', errors: 'flat' } as const

/** A minus sorts from the last. */
export const TEMPLATE_SORTS = [
  'name',
  '-name',
  'subject',
  '-subject',
  'uses',
  '-uses',
  'created_at',
  '-created_at',
  'updated_at',
  '-updated_at',
] as const

export const ListTemplates = contract({
  id: 'listTemplates',
  method: 'GET',
  path: '/templates/',
  ...common,
  summary: 'List templates',
  description:
    'Those of the workspace, and those that its parent shares: newest first, unless `sort` sets another order.',
  query: z.object({
    search: optionalText(255).describe('Part of the name, the subject or the text.'),
    sort: sortBy(TEMPLATE_SORTS),
    ...paging,
  }),
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
  body: z.object({
    name: text(1, 255),
    content: TemplateContent,
    is_shared: z.boolean().optional().describe('Children of this workspace use it too, read only.'),
  }),
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
    'Only the fields you send change. Drafts use the new text immediately; a launched campaign keeps the text it was launched with. `older_in` lists the campaigns of this workspace that do, and `POST /campaigns/{campaign_id}/adopt-templates` updates them. 409 `template_inherited` if it is the parent’s.',
  params,
  body: z.object({
    name: text(1, 255).optional(),
    content: TemplateContent.partial().optional(),
    is_shared: z
      .boolean()
      .optional()
      .describe('Off: launched campaigns of children keep its text, their drafts lose it.'),
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
    '409 `template_in_use` while a campaign names it, unless that campaign is a draft or has ended. While it is shared, campaigns of children count too. 409 `template_inherited` if it is the parent’s.',
  params,
  response: null,
  status: 204,
  scope: 'write',
  refusals: [404, 409],
  destructive: true,
})

export const RenderTemplate = contract({
  id: 'renderTemplate',
  method: 'POST',
  path: '/templates/render',
  ...common,
  summary: 'Render a text for a lead',
  description:
    'Renders an unsaved text or a saved template for one lead: `data`, or the lead at one position of the newest dataset, or an invented one if there is no dataset. `problems` says why it cannot be rendered; the text is then returned as given. Nothing is stored.',
  body: z
    .object({
      template_id: id()
        .optional()
        .describe('A saved template. `subject` and `body`, if given, replace its own.'),
      subject: z.string().max(998).optional(),
      body: z.string().max(100_000).optional(),
      data: freeForm()
        .optional()
        .describe('The lead’s cells by their columns, in place of those of a dataset.'),
      lead_index: z.int().min(0).max(10_000_000).default(0).describe('Place in the dataset, from 0.'),
    })
    .prefault({}),
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
  refusals: [404],
  rate: 'read',
})
