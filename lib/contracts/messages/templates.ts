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
    'Plain text or HTML, with Liquid and spintax. One HTML tag makes it HTML: it is kept with the elements, attributes and addresses allowed in email, and the plain text part is made from it.',
  ),
  attachment_ids: attachmentIds()
    .optional()
    .describe(
      'Files attached to each email that uses it, but not when its text is inserted in the inbox. A shared template has none. Omitted in an update: unchanged.',
    ),
  lead_files: LeadFiles.nullable()
    .optional()
    .describe(
      'Files of which each lead gets its own: the one named in its `column`, with or without the extension, also as the end of a path or link, ignoring case. Nothing is fetched. It comes after `attachment_ids`, and together with the largest of these files they must fit in one email. A shared template has none. Null: none. Omitted in an update: unchanged.',
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
      attachment_ids: z.array(id()).optional().describe('Omitted: no files.'),
      lead_files: LeadFiles.optional().describe('Omitted: no per-lead files.'),
    }),
    is_shared: z.boolean().describe('For a parent: whether its children can use it too.'),
    inherited_from: z
      .object({ workspace_id: id(), name: z.string() })
      .nullable()
      .describe('The parent workspace that shares it, where it is edited. Null: this workspace.'),
    version: version(),
    created_at: dateTime(),
    updated_at: dateTime(),
  })
  .meta({ id: 'Template' })
export type Template = z.output<typeof Template>
/** A template as the steps of a campaign show it: the copy from the launch may be all that is left of it. */
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

/** A leading minus sorts descending. */
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
    'The workspace’s templates and those its parent shares, newest first unless `sort` sets another order.',
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
  description: 'Liquid is parsed when you save. Bad syntax returns 422 with line and column.',
  body: z.object({
    name: text(1, 255),
    content: TemplateContent,
    is_shared: z.boolean().optional().describe('Children of this workspace can use it too, read-only.'),
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
      .describe('If turned off, children’s launched campaigns keep its text and their drafts lose it.'),
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
    '409 `template_in_use` while a campaign uses it, unless that campaign is a draft or has ended. While it is shared, children’s campaigns count too. 409 `template_inherited` if it is the parent’s.',
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
    'Renders an unsaved text or a saved template for one lead: `data`, the lead at one position in the newest dataset, or a made-up one if there is no dataset. `problems` says why it cannot be rendered; the text is then returned as given. Nothing is stored.',
  body: z
    .object({
      template_id: id()
        .optional()
        .describe('A saved template. `subject` and `body`, if given, replace its own.'),
      subject: z.string().max(998).optional(),
      body: z.string().max(100_000).optional(),
      data: freeForm().optional().describe('The lead’s cells by column, instead of a dataset’s.'),
      lead_index: z.int().min(0).max(10_000_000).default(0).describe('Row index in the dataset, from 0.'),
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
