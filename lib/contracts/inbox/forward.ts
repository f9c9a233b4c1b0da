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
    'Sends a message of the conversation to somebody else, from the conversation’s mailbox: what you say about it, then who wrote it, when and what, as text, and its attachments, with the files of `attachment_ids` behind them. `files` says which of its attachments; without it those of an email that is kept (`attachments_kept`) all travel, and of another none. What is not kept is read from its mailbox again: 409 `attachment_missing` if it is no longer there or larger than 36 MB, 503 if the mailbox does not answer; nothing is sent then. All files together take at most 20 MB in the email (422). Links by which the lead unsubscribes are taken out. It stands in the conversation as `forward`, is no answer, and what comes back to it is not the lead’s. 422 for somebody on the suppression list; 409 `no_sender` if the mailbox was removed or is disconnected; 409 `invalid_state` in a chat. If the outcome is unknown, `delivery_status` is `uncertain` and it is not sent again.',
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
      .describe(
        'Places in `attachments` of the message, from 0, of the files that travel with it. Empty: none.',
      ),
    attachment_ids: attachmentIds().optional(),
    text: text(0, 100_000).default('').describe('What you say about it.'),
  }),
  response: InboxMessage,
  status: 201,
  scope: 'send',
  refusals: [404, 409, 503],
  destructive: true,
  previews: { readInboxThread: {} },
})
