import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import {
  dateInput,
  dateTime,
  dateTimeInput,
  editedVersion,
  id,
  listEnvelope,
  optionalText,
  paging,
  pathId,
  text,
  version,
} from '#lib/contracts/fields'
import { keptCopies } from '#lib/contracts/inbox/copies'
import { PersonHold } from '#lib/contracts/leads/lead-holds'
import { LEAD_STATUSES } from '#lib/domain/campaigns/campaign-status'
import { INTENT_SOURCES, INTENTS } from '#lib/domain/inbox/intent/intents'

export const INBOX_FOLDERS = ['open', 'unread', 'needs_answer', 'snoozed', 'done', 'sent', 'all'] as const
export type InboxFolder = (typeof INBOX_FOLDERS)[number]

/** The kind of a conversation's newest message: an incoming one, or an answer of ours. */
const KINDS = [
  'reply',
  'automatic_reply',
  'hard_bounce',
  'soft_bounce',
  'complaint',
  'unsubscribe',
  'own_message',
  'answer',
  // Only for mail that could not be read and belongs to no lead: it may be anything.
  'unrelated',
] as const
export type InboxKind = (typeof KINDS)[number]

/** The intent of a message and its source; on a conversation, those of the last message that had an intent. */
const intentFields = {
  intent: z.enum(INTENTS).nullable().describe('What the person wants. Null if unknown.'),
  intent_by: z
    .enum(INTENT_SOURCES)
    .nullable()
    .describe('Who determined it: the rules, the language model if configured, or a workspace member.'),
  intent_evidence: z
    .string()
    .nullable()
    .describe('The words of the message that show it. Null if there are none, or a member set it.'),
  intent_until: z.iso.date().nullable().describe('For `later`: the date to write again.'),
  referral_name: z.string().nullable().describe('For `referral`: who to write to instead.'),
  referral_email: z.string().nullable(),
}

export const InboxThread = z
  .object({
    thread_id: id(),
    channel: z.enum(['email', 'social']),
    mailbox_id: id().nullable().describe('The address the counterpart writes to and replies are sent from.'),
    connected_account_id: id().nullable().describe('For a chat: the account used.'),
    provider: z.string().nullable().describe('For a chat: the network.'),
    campaign_id: id().nullable(),
    campaign_name: z.string().nullable(),
    owner_name: z.string().nullable().describe('The campaign’s owner. Null for a client.'),
    campaign_lead_id: id().nullable(),
    counterpart_address: z
      .string()
      .describe('Who replies go to: the person who wrote last, otherwise the lead.'),
    counterpart_name: z.string().nullable(),
    subject: z.string(),
    status: z.enum(['open', 'done']),
    unread: z.boolean(),
    labels: z.array(z.string()),
    ...intentFields,
    assignee_id: id().nullable().describe('The assigned member.'),
    assignee_name: z.string().nullable(),
    snoozed_until: dateTime().nullable().describe('Snoozed until then, or until a new message arrives.'),
    last_message_at: dateTime(),
    last_direction: z.enum(['in', 'out']),
    last_kind: z.enum(KINDS),
    preview: z.string(),
    message_count: z.int().describe('Excluding campaign messages.'),
    note_count: z.int().describe('Internal notes. Never sent.'),
    version: version(),
  })
  .meta({ id: 'InboxThread' })
export type InboxThread = z.output<typeof InboxThread>
export type InboxIntent = NonNullable<InboxThread['intent']>

export const InboxThreadDetail = InboxThread.extend({
  lead: z
    .object({
      lead_index: z.int(),
      email: z.string().nullable(),
      status: z.enum(LEAD_STATUSES),
      data: z.record(z.string(), z.json()),
    })
    .nullable(),
  last_message_id: id()
    .nullable()
    .describe('The latest known message. Send it back with a reply. Null if there is none.'),
  others: z
    .array(z.object({ name: z.string().nullable(), address: z.string() }))
    .describe(
      'The other recipients of the latest incoming message, without your own addresses: the Cc for a reply to all.',
    ),
  answers_step: z.int().nullable().describe('The step that the latest incoming message replies to.'),
  absence: PersonHold.nullable().describe('Set while the person is away or on hold. Otherwise null.'),
  steps_stopped: z.array(z.int()).describe('Steps the lead will not get because it ended.'),
  suppression: z
    .object({ value: z.string(), reason: z.string() })
    .nullable()
    .describe(
      'The suppression list entry for this person. In a chat, you can still reply to somebody who wrote. Null for a client.',
    ),
  may_answer: z.boolean(),
  why_not: z.string().nullable().describe('Why you cannot reply.'),
  answers_from: z
    .string()
    .nullable()
    .describe(
      'The address a reply is sent from: the one the person wrote to, if it belongs to the mailbox. Null in a chat or if you cannot reply.',
    ),
}).meta({ id: 'InboxThreadDetail' })
export type InboxThreadDetail = z.output<typeof InboxThreadDetail>

export const InboxMessage = z
  .object({
    inbox_message_id: id().nullable().describe('Null for campaign messages.'),
    action_id: id().nullable().describe('For campaign messages.'),
    direction: z.enum(['in', 'out']),
    kind: z.enum([...KINDS, 'step', 'forward']),
    step: z.int().nullable(),
    action_type: z.string().nullable().describe('For campaign actions: `email`, `visit_profile`, …'),
    from_address: z.string(),
    from_name: z.string().nullable(),
    user_id: id()
      .nullable()
      .describe(
        'The member who wrote it here. Null for incoming messages, messages from a mail program or a campaign, and for a client.',
      ),
    author_name: z.string().nullable(),
    recipients: z
      .array(z.object({ name: z.string().nullable(), address: z.string() }))
      .describe('To and Cc. Empty in a chat.'),
    ...keptCopies,
    subject: z.string(),
    text: z.string(),
    unreadable: z
      .enum(['over_time', 'over_memory', 'died', 'refused'])
      .nullable()
      .describe(
        'Why an incoming email could not be read: it needs more CPU time or memory than allowed, or crashed its reader. `refused`: its server gives only its headers, or nothing. Its text is missing; it is kept as received, and not read again.',
      ),
    html: z
      .string()
      .nullable()
      .describe(
        'A separate, sanitised document with a policy that blocks loading anything. Null if there is only text.',
      ),
    attachments: z.array(
      z.object({ filename: z.string().nullable(), content_type: z.string(), size_bytes: z.int() }),
    ),
    attachments_kept: z
      .boolean()
      .describe('Whether its attachments are stored and included when it is forwarded.'),
    at: dateTime(),
    delivery_status: z
      .enum(['scheduled', 'sending', 'sent', 'failed', 'uncertain'])
      .nullable()
      .describe(
        'For sent messages. `scheduled`: it is not sent yet, see `send_at`. `uncertain`: it may have been sent, so it is not sent again automatically.',
      ),
    response: z.string().nullable().describe('What the mail server said.'),
    ...intentFields,
  })
  .meta({ id: 'InboxMessage' })
export type InboxMessage = z.output<typeof InboxMessage>

const blank = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())
const labels = () => z.array(text(1, 50)).max(20)
const changes = {
  status: z.enum(['open', 'done']).optional(),
  unread: z.boolean().optional(),
  snoozed_until: dateTimeInput().nullable().optional(),
  assignee_id: id()
    .nullable()
    .optional()
    .describe('An owner, admin or member, who is notified. Null: nobody.'),
}
const params = z.object({ thread_id: pathId() })
const common = { tag: 'Inbox', errors: 'flat' } as const

/** The filters of the conversation list, as query parameters. */
export const threadFilters = () =>
  z.object({
    folder: z.enum(INBOX_FOLDERS).optional(),
    unread: blank(z.enum(['true', 'false'])),
    label: optionalText(50),
    kind: blank(z.enum(KINDS)).describe('From the newest message.'),
    intent: blank(z.enum(INTENTS)).describe('What the person wants.'),
    mailbox_id: id().optional(),
    connected_account_id: id().optional().describe('Chats from one account.'),
    campaign_id: id().optional(),
    assignee: blank(z.union([z.enum(['me', 'nobody']), id()])).describe('`me`, `nobody` or a member’s id.'),
    owner: blank(z.union([z.literal('me'), id()])).describe(
      'From one member’s campaigns: `me`, or their id.',
    ),
    search: optionalText(),
  })

export const ListInboxThreads = contract({
  ...common,
  id: 'listInboxThreads',
  method: 'GET',
  path: '/inbox/threads',
  summary: 'List conversations',
  description:
    'Conversations of all mailboxes and accounts, latest message first. `needs_answer`: open, and the last message is from somebody you can reply to, so not a stop request, an out-of-office notice or a suppressed sender. `sent`: somebody replied manually. `search` matches whole words or their beginnings in counterpart, subject and messages.',
  query: threadFilters().extend({
    folder: z.enum(INBOX_FOLDERS).default('open'),
    unread: z.stringbool().optional(),
    ...paging,
  }),
  response: listEnvelope(InboxThread),
  status: 200,
  scope: 'read',
  role: 'client',
})

export const ReadInboxThread = contract({
  ...common,
  id: 'readInboxThread',
  method: 'GET',
  path: '/inbox/threads/{thread_id}',
  summary: 'Read a conversation',
  description: 'With its lead, the step it answers and the steps it stopped.',
  params,
  response: InboxThreadDetail,
  status: 200,
  scope: 'read',
  role: 'client',
  refusals: [404],
})

export const ReadInboxMessages = contract({
  ...common,
  id: 'readInboxMessages',
  method: 'GET',
  path: '/inbox/threads/{thread_id}/messages',
  summary: 'List the messages of a conversation',
  description:
    'Oldest first: what the campaign sent, what arrived, and manual replies from here or a mail program. At most the latest 200.',
  params,
  response: z.object({ messages: z.array(InboxMessage) }),
  status: 200,
  scope: 'read',
  role: 'client',
  refusals: [404],
})

export const UpdateInboxThread = contract({
  ...common,
  id: 'updateInboxThread',
  method: 'PATCH',
  path: '/inbox/threads/{thread_id}',
  summary: 'Change a conversation',
  description:
    'Changes its status, read state, labels (all, or some to add and remove), intent, snooze and assignee. 422 for an assignee who cannot reply here.',
  params,
  body: z.object({
    ...changes,
    labels: labels().optional(),
    add_labels: labels().optional(),
    remove_labels: labels().optional(),
    intent: z
      .enum(INTENTS)
      .nullable()
      .optional()
      .describe(
        'Corrects the intent. An ended lead stays ended. A lead held by `later` ends or is held until the new date. 422 if there is no incoming message with an intent.',
      ),
    intent_until: dateInput().nullable().optional().describe('With the intent `later` only.'),
    version: editedVersion(),
  }),
  response: InboxThread,
  status: 200,
  scope: 'write',
  refusals: [404, 409],
})

export const MarkInboxThreadRead = contract({
  ...common,
  id: 'markInboxThreadRead',
  method: 'POST',
  path: '/inbox/threads/{thread_id}/read',
  summary: 'Mark a conversation as read',
  description: 'Marks the conversation as read, like opening it. This does not appear in the audit log.',
  params,
  response: InboxThread,
  status: 200,
  scope: 'write',
  unlogged: true,
  refusals: [404],
})

export const CheckInbox = contract({
  ...common,
  id: 'checkInbox',
  method: 'POST',
  path: '/inbox/check',
  summary: 'Check for new messages now',
  description:
    'Reads your mailboxes and accounts at once, except those read within the last 30 seconds. Opener also reads them automatically: every 5 minutes after recent activity, then less often, and at least once an hour. This does not appear in the audit log.',
  response: z.object({
    mailboxes: z.int().describe('How many are being read.'),
    accounts: z.int().describe('How many are being read.'),
  }),
  status: 202,
  scope: 'write',
  unlogged: true,
})

export const UpdateInboxThreads = contract({
  ...common,
  id: 'updateInboxThreads',
  method: 'POST',
  path: '/inbox/threads/bulk',
  summary: 'Change many conversations',
  description: 'Ids that are not yours are ignored.',
  body: z.object({ thread_ids: z.array(id()).min(1).max(500), ...changes }),
  response: z.object({ updated: z.int() }),
  status: 200,
  scope: 'write',
})
