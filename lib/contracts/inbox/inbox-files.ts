import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { fileAnswer, pathId, wholeNumber } from '#lib/contracts/fields'

/** The most files that one message lists. */
export const MOST_FILES = 100

export const DownloadInboxFile = contract({
  tag: 'Inbox',
  errors: 'flat',
  id: 'downloadInboxFile',
  method: 'GET',
  path: '/inbox/threads/{thread_id}/messages/{inbox_message_id}/files/{position}',
  summary: 'Download a file of a message',
  description:
    'Downloads one of a message’s `attachments` by its index from 0, as `application/octet-stream`. Paths, control characters and text direction characters are removed from its name. If the email is not stored (`attachments_kept`), it is read from the mailbox, up to 36 MB: 409 `attachment_missing` if it is gone or larger, 503 if the mailbox does not answer. Files in chats and in campaign emails cannot be downloaded here. Files are not scanned for viruses.',
  params: z.object({
    thread_id: pathId(),
    inbox_message_id: pathId(),
    position: wholeNumber(0, MOST_FILES).catch(MOST_FILES).describe('Its index in `attachments`, from 0.'),
  }),
  file: 'bytes',
  response: fileAnswer(),
  status: 200,
  scope: 'read',
  role: 'client',
  refusals: [404, 409, 503],
})
