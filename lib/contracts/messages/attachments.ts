import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, id, pathId, text } from '#lib/contracts/fields'
import { MOST_LEAD_FILES } from '#lib/domain/messages/attached/lead-file'
import { ATTACHMENT_BYTES, MOST_ATTACHMENTS } from '#lib/domain/messages/attached/limits'

/** A file, where what names it is shown. */
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
    user_id: id().nullable().describe('Who uploaded it. Null: their account is erased.'),
    sha256: z.string().describe('Of its bytes, in hexadecimal. A file that has another by then is not sent.'),
    url: z
      .string()
      .describe('Opens the file without credentials, for at least a day; read the attachment for a new URL.'),
    created_at: dateTime(),
  })
  .meta({ id: 'Attachment' })
export type Attachment = z.output<typeof Attachment>

/** In and out: files of which each lead gets its own. */
export const LeadFiles = z
  .object({
    column: text(1, 255).describe('Of the dataset, or `email`: what the file of a lead is called.'),
    attachment_ids: z
      .array(id())
      .min(1)
      .max(MOST_LEAD_FILES)
      .describe(
        `As \`createAttachment\` answered them, ${MOST_LEAD_FILES} at most, each with a name of its own.`,
      ),
    without: z
      .enum(['skip', 'hold'])
      .describe(
        'What becomes of a lead for whom there is no file. `skip`: its email leaves without one. `hold`: the lead waits, as for a text that nobody approved.',
      ),
  })
  .meta({ id: 'LeadFiles' })

/** In: the files of an email, in their order. */
export const attachmentIds = () =>
  z
    .array(id())
    .max(MOST_ATTACHMENTS)
    .describe(
      `Files that travel with it, as \`createAttachment\` answered them: ${MOST_ATTACHMENTS} at most, which together take at most 20 MB in the email (base64 makes a file a third larger). Not in a chat.`,
    )

const JUDGED =
  'Its type is judged by its content, and its name is cleaned of paths, control characters and characters that turn the reading direction. 400 `attachment_refused`, with the reason, for what mail servers refuse: programs and scripts by name and by content, documents with macros, archives that have a password or hold one of these or another archive, and a file that is not what its name says. 400 `attachment_too_large` above 10 MB.'
const KEPT =
  'It is kept for as long as a draft, a message, a template or a launched campaign names it; one that nothing names is removed after a day. At most 500 files of together 1 GB wait to be named for the first time (429).'

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
  summary: 'Make an upload a file for an email',
  description: `Of a file that was put to the address of \`POST /uploads\`, which is used up by it. ${JUDGED} ${KEPT} 409 \`upload_missing\` where nothing was put there yet.`,
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
