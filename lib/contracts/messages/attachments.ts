import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, id, pathId, text } from '#lib/contracts/fields'
import { MOST_LEAD_FILES } from '#lib/domain/messages/attached/lead-file'
import { ATTACHMENT_BYTES, MOST_ATTACHMENTS } from '#lib/domain/messages/attached/limits'

/** A file, as shown beside the object that refers to it. */
export const AttachedFile = z
  .object({
    attachment_id: id(),
    filename: z.string(),
    content_type: z.string(),
    size_bytes: z.int(),
  })
  .meta({ id: 'AttachedFile' })
export type AttachedFile = z.output<typeof AttachedFile>

export const Attachment = z
  .object({
    ...AttachedFile.shape,
    workspace_id: id(),
    user_id: id().nullable().describe('Who uploaded it. Null if their account was erased.'),
    sha256: z
      .string()
      .describe(
        'Hash of its bytes, in hexadecimal. If it no longer matches at sending, the file is not sent.',
      ),
    url: z
      .string()
      .describe('Opens the file without credentials, for at least a day; read the attachment for a new URL.'),
    created_at: dateTime(),
  })
  .meta({ id: 'Attachment' })
export type Attachment = z.output<typeof Attachment>

/** In and out: files that differ for each lead. */
export const LeadFiles = z
  .object({
    column: text(1, 255).describe('A dataset column, or `email`, with each lead’s file name.'),
    attachment_ids: z
      .array(id())
      .min(1)
      .max(MOST_LEAD_FILES)
      .describe(`Ids returned by \`createAttachment\`, up to ${MOST_LEAD_FILES}, each with a unique name.`),
    without: z
      .enum(['skip', 'hold'])
      .describe(
        'What happens to a lead without a file. `skip`: its email is sent without one. `hold`: the lead waits, as for an unapproved text.',
      ),
  })
  .meta({ id: 'LeadFiles' })

/** In: the files of an email, in order. */
export const attachmentIds = () =>
  z
    .array(id())
    .max(MOST_ATTACHMENTS)
    .describe(
      `Attachments, as ids returned by \`createAttachment\`: up to ${MOST_ATTACHMENTS}, and up to 20 MB together in the email (base64 makes files a third larger). Not in a chat.`,
    )

const JUDGED =
  'Its type is detected from its content, and paths, control characters and text direction characters are removed from its name. 400 `attachment_refused`, with the reason, for files mail servers refuse: programs and scripts by name or content, documents with macros, archives with a password or containing one of these or another archive, and files whose content does not match their name. 400 `attachment_too_large` above 10 MB.'
const KEPT =
  'It is kept as long as a draft, message, template or launched campaign uses it. An unused one is removed after a day. At most 500 unused files, 1 GB together, are kept (429).'

const common = { tag: 'Inbox', errors: 'flat' } as const

export const CreateAttachment = contract({
  ...common,
  id: 'createAttachment',
  method: 'POST',
  path: '/attachments',
  summary: 'Upload a file for an email',
  description: `${JUDGED} ${KEPT} On Vercel a request takes 4.5 MB: use \`POST /uploads\` and \`createAttachmentFromUpload\` for larger files.`,
  body: z.object({ file: z.file() }),
  body_type: 'multipart',
  max_bytes: ATTACHMENT_BYTES + 256 * 1024,
  response: Attachment,
  status: 201,
  scope: 'write',
  refusals: [400, 503],
})

export const CreateAttachmentFromUpload = contract({
  ...common,
  id: 'createAttachmentFromUpload',
  method: 'POST',
  path: '/uploads/{upload_id}/attachment',
  summary: 'Turn an upload into an email attachment',
  description: `Uses a file uploaded through \`POST /uploads\`. The upload can be used only once. ${JUDGED} ${KEPT} 409 \`upload_missing\` if nothing was uploaded yet.`,
  params: z.object({ upload_id: pathId() }),
  response: Attachment,
  status: 201,
  scope: 'write',
  refusals: [400, 404, 409, 503],
})

export const ReadAttachment = contract({
  ...common,
  id: 'readAttachment',
  method: 'GET',
  path: '/attachments/{attachment_id}',
  summary: 'Read a file for an email',
  params: z.object({ attachment_id: pathId() }),
  response: Attachment,
  status: 200,
  scope: 'read',
  refusals: [404],
})
