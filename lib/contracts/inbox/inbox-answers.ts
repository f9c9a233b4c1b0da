import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTimeInput, id, pathId, text } from '#lib/contracts/fields'
import { copyFields } from '#lib/contracts/inbox/copies'
import { InboxMessage } from '#lib/contracts/inbox/inbox'
import { attachmentIds } from '#lib/contracts/messages/attachments'
import { Claim, Flag } from '#lib/contracts/personalize/generations'

const common = { tag: 'Inbox', errors: 'flat' } as const
const params = z.object({ thread_id: pathId() })

export const ReplyInInbox = contract({
  ...common,
  id: 'replyInInbox',
  method: 'POST',
  path: '/inbox/threads/{thread_id}/reply',
  summary: 'Reply in a conversation',
  description:
    'Sends from the conversation’s mailbox in the same thread, with the mailbox’s signature; in a chat it sends from the account, up to 8,000 characters. `cc` and `bcc` get a copy. If the server refuses one of `cc`, it is sent to nobody. The reply is recorded before it is sent. If the outcome is unknown, `delivery_status` is `uncertain` and it is not sent again. 409 `address_suppressed` for somebody on the suppression list, by address, domain, profile or telephone number; in a chat only if they never wrote there (otherwise you can reply; see the conversation’s `suppression`); 409 `no_sender` if the mailbox was removed or is disconnected; 409 `attachment_missing`, and nothing is sent, if the storage has lost one of its files; 409 `answered_meanwhile`, and nothing is sent, if there is a newer message than `last_message_id` or another answer is scheduled: its message says whose it is and when it was or will be sent. With `send_at` the answer is `scheduled`: `inbox_message_id` is the id of the draft, and later that of the message. It is sent once at that time. If a message came in before then, the mailbox or a file is gone, or its author left, it stays a draft, says why (`stopped`), and they are notified.',
  params,
  body: z.object({
    text: text(1, 100_000),
    ...copyFields,
    attachment_ids: attachmentIds().optional(),
    last_message_id: id()
      .nullish()
      .describe(
        '`last_message_id` of the conversation when you read it. If omitted, the reply is sent even if newer messages came in.',
      ),
    send_at: dateTimeInput()
      .nullish()
      .describe(
        'When to send it, within a year. Until then it is a draft you can change or cancel, see `updateInboxDraft`. A few seconds give time to undo. Omitted, null or past: immediately.',
      ),
    draft_id: id().nullish().describe('The draft this reply came from. It is sent once and then removed.'),
  }),
  response: InboxMessage,
  status: 201,
  scope: 'send',
  refusals: [404, 409],
  destructive: true,
  previews: { readInboxThread: {} },
})

export const DraftInboxReply = contract({
  ...common,
  id: 'draftInboxReply',
  method: 'POST',
  path: '/inbox/threads/{thread_id}/draft',
  summary: 'Draft a reply',
  description:
    'The configured language model, or the offline writer if there is none, proposes a reply to the latest messages. Nothing is sent or stored. 409 `ai_budget_spent`.',
  params,
  response: z.object({
    text: z.string(),
    written_by: z.string().describe('The model, or the offline writer.'),
    offline: z.boolean(),
    claims: z
      .array(Claim)
      .describe(
        'Facts in the text, each with its source: a lead’s cell, `sender.name`, or `conversation` for what the other side wrote. Found by fixed rules, without a model.',
      ),
    flags: z.array(Flag).describe('Reasons to review it, such as a date that none of these contain.'),
  }),
  status: 200,
  scope: 'write',
  rate: 'ai',
  refusals: [404, 409, 502, 503],
})
