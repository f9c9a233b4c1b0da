import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { pathId, text } from '#lib/contracts/fields'
import { copyFields } from '#lib/contracts/inbox/copies'
import { InboxMessage } from '#lib/contracts/inbox/inbox'
import { MOST_FILES } from '#lib/contracts/inbox/inbox-files'
import { attachmentIds } from '#lib/contracts/messages/attachments'

export const ForwardInInbox = contract({
  tag: 'Inbox',
  errors: 'flat',
  id: 'forwardInInbox',
  method: 'POST',
  path: '/inbox/threads/{thread_id}/messages/{inbox_message_id}/forward',
  summary: 'Forward a message',
  description:
    'Forwards a message to somebody else from the conversation’s mailbox: your note, then the original as text with author and date, its attachments, and the files in `attachment_ids`. `files` selects which attachments. Without it, all attachments of a stored email (`attachments_kept`) are included, and none of others. Attachments that are not stored are read from the mailbox: 409 `attachment_missing` if the email is gone or larger than 36 MB, 503 if the mailbox does not answer; nothing is sent then. All files together can take up to 20 MB in the email (422). The lead’s unsubscribe links are removed. It appears in the conversation as `forward`, does not count as a reply, and replies to it are not the lead’s. 422 for somebody on the suppression list; 409 `no_sender` if the mailbox was removed or is disconnected; 409 `invalid_state` in a chat. If the outcome is unknown, `delivery_status` is `uncertain` and it is not sent again.',
  params: z.object({ thread_id: pathId(), inbox_message_id: pathId() }),
  body: z.object({
    to: z.email().max(254).toLowerCase(),
    ...copyFields,
    files: z
      .array(
        z
          .int()
          .min(0)
          .max(MOST_FILES - 1),
      )
      .max(MOST_FILES)
      .optional()
      .describe('Indexes in the message’s `attachments`, from 0, to include. Empty: none.'),
    attachment_ids: attachmentIds().optional(),
    text: text(0, 100_000).default('').describe('Your note above the forwarded message.'),
  }),
  response: InboxMessage,
  status: 201,
  scope: 'send',
  refusals: [404, 409, 503],
  destructive: true,
  previews: { readInboxThread: {} },
})
