import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { fileAnswer, pathId, wholeNumber } from '#lib/contracts/fields'

/** No message lists more. */
export const MOST_FILES = 100

export const DownloadInboxFile = contract({
  tag: 'Inbox',
  errors: 'flat',
  id: 'downloadInboxFile',
  method: 'GET',
  path: '/inbox/threads/{thread_id}/messages/{inbox_message_id}/files/{position}',
  summary: 'Download a file of a message',
  description:
    'The bytes of one of the `attachments` of a message, by its place among them from 0, as a download of the type `application/octet-stream` under its name, which is cleaned of paths, control characters and characters that turn the reading direction. Files of an email that is not kept (`attachments_kept`) are read from its mailbox again, up to 36 MB for the whole email: 409 `attachment_missing` if it is no longer there or is larger, 503 if the mailbox does not answer. Files of chats, and of what a campaign sent, are not downloaded here. Files are not scanned for viruses.',
  params: z.object({
    thread_id: pathId(),
    inbox_message_id: pathId(),
    position: wholeNumber(0, MOST_FILES).catch(MOST_FILES).describe('Its place in `attachments`, from 0.'),
  }),
  file: 'bytes',
  response: fileAnswer(),
  status: 200,
  scope: 'read',
  role: 'client',
  refusals: [404, 409, 503],
})
