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

/** What the newest message of a conversation is: what came in, or an answer of one's own. */
const KINDS = [
  'reply',
  'automatic_reply',
  'hard_bounce',
  'soft_bounce',
  'complaint',
  'unsubscribe',
  'own_message',
  'answer',
  // Only what could not be read and leads to no lead: it may be anything.
  'unrelated',
] as const
export type InboxKind = (typeof KINDS)[number]

/** What a message wants, and who says so; on a conversation, of the last message that had an intent. */
const intentFields = {
  intent: z
    .enum(INTENTS)
    .nullable()
    .describe('What the person wants; null if neither the words nor anybody say it.'),
  intent_by: z
    .enum(INTENT_SOURCES)
    .nullable()
    .describe('Who says so: the rules, the language model where one is set, or a person of the workspace.'),
  intent_evidence: z
    .string()
    .nullable()
    .describe('The words of the message that say so. Null where none do, or a person says so.'),
  intent_until: z.iso.date().nullable().describe('For `later`: the day from which to write again.'),
  referral_name: z.string().nullable().describe('For `referral`: whom to write to instead.'),
  referral_email: z.string().nullable(),
}

export const InboxThread = z
  .object({
    thread_id: id(),
    channel: z.enum(['email', 'social']),
    mailbox_id: id()
      .nullable()
      .describe('The address that the counterpart writes to, and replies are sent from.'),
    connected_account_id: id().nullable().describe('Of a chat, the account that it is held from.'),
    provider: z.string().nullable().describe('Of a chat, the network.'),
    campaign_id: id().nullable(),
    campaign_name: z.string().nullable(),
    owner_name: z.string().nullable().describe('The member whose campaign it is. Null for a client.'),
    campaign_lead_id: id().nullable(),
    counterpart_address: z
      .string()
      .describe('The recipient of replies: the person who wrote last, or else the lead.'),
    counterpart_name: z.string().nullable(),
    subject: z.string(),
    status: z.enum(['open', 'done']),
    unread: z.boolean(),
    labels: z.array(z.string()),
    ...intentFields,
    assignee_id: id().nullable().describe('The member who answers it.'),
    assignee_name: z.string().nullable(),
    snoozed_until: dateTime().nullable().describe('Snoozed until then; a new message ends it.'),
    last_message_at: dateTime(),
    last_direction: z.enum(['in', 'out']),
    last_kind: z.enum(KINDS),
    preview: z.string(),
    message_count: z.int().describe('Without what the campaign sent.'),
    note_count: z.int().describe('Notes of members, which are never sent.'),
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
    .describe('The message that became known last; send it back with a reply. Null if there is none.'),
  others: z
    .array(z.object({ name: z.string().nullable(), address: z.string() }))
    .describe(
      'Whom the latest message from outside went to besides, without your own addresses: the Cc of an answer to all.',
    ),
  answers_step: z.int().nullable().describe('The step that the latest message from outside answers.'),
  absence: PersonHold.nullable().describe(
    'The person is away, or a member holds them: null once that is over.',
  ),
  steps_stopped: z.array(z.int()).describe('Steps that the lead will not get since it ended.'),
  suppression: z
    .object({ value: z.string(), reason: z.string() })
    .nullable()
    .describe(
      'The entry of the suppression list that means this person. In a chat, whoever wrote can be answered all the same. Null for a client.',
    ),
  may_answer: z.boolean(),
  why_not: z.string().nullable().describe('Why no answer can be sent.'),
  answers_from: z
    .string()
    .nullable()
    .describe(
      'The address that an answer comes from: the one that the person wrote to, if it is the mailbox’s own. Null in a chat, and where none can be sent.',
    ),
}).meta({ id: 'InboxThreadDetail' })
export type InboxThreadDetail = z.output<typeof InboxThreadDetail>

export const InboxMessage = z
  .object({
    inbox_message_id: id().nullable().describe('Null for what the campaign sent.'),
    action_id: id().nullable().describe('Of what the campaign sent.'),
    direction: z.enum(['in', 'out']),
    kind: z.enum([...KINDS, 'step', 'forward']),
    step: z.int().nullable(),
    action_type: z.string().nullable().describe('Of what the campaign did: `email`, `visit_profile`, …'),
    from_address: z.string(),
    from_name: z.string().nullable(),
    user_id: id()
      .nullable()
      .describe(
        'The member who wrote it here. Null for what came from outside, from a mail program or from a campaign, and for a client.',
      ),
    author_name: z.string().nullable(),
    recipients: z
      .array(z.object({ name: z.string().nullable(), address: z.string() }))
      .describe('Of To and Cc. Empty in a chat.'),
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
        'A separate, sanitised document with a policy that prevents loading anything. Null if there is only text.',
      ),
    attachments: z.array(
      z.object({ filename: z.string().nullable(), content_type: z.string(), size_bytes: z.int() }),
    ),
    attachments_kept: z
      .boolean()
      .describe('Whether its attachments are kept, and travel with it where it is forwarded.'),
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
    .describe('An owner, admin or member of the workspace, who is notified. Null: nobody.'),
}
const params = z.object({ thread_id: pathId() })
const common = { tag: 'Inbox', errors: 'flat' } as const

/** What a list of conversations can be narrowed by, as a query gives it. */
export const threadFilters = () =>
  z.object({
    folder: z.enum(INBOX_FOLDERS).optional(),
    unread: blank(z.enum(['true', 'false'])),
    label: optionalText(50),
    kind: blank(z.enum(KINDS)).describe('Of the newest message.'),
    intent: blank(z.enum(INTENTS)).describe('What the person wants.'),
    mailbox_id: id().optional(),
    connected_account_id: id().optional().describe('Chats of one account.'),
    campaign_id: id().optional(),
    assignee: blank(z.union([z.enum(['me', 'nobody']), id()])).describe(
      '`me`, `nobody` or the id of a member.',
    ),
    owner: blank(z.union([z.literal('me'), id()])).describe('Of campaigns of one member: `me`, or their id.'),
    search: optionalText(),
  })

export const ListInboxThreads = contract({
  ...common,
  id: 'listInboxThreads',
  method: 'GET',
  path: '/inbox/threads',
  summary: 'List conversations',
  description:
    'Conversations of all mailboxes and accounts, latest message first. `needs_answer`: open, and the last message is from a person who may be answered: neither one that asks to stop or says that they are away, nor from somebody whose address or domain is suppressed; `sent`: somebody replied by hand. `search` takes words or their beginnings, and matches the counterpart, the subject and the messages.',
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
    'Changes whether it is done or open, read or unread, its labels (all of them, or some to add and remove), what the person wants, until when it is snoozed, and whose it is. 422 for an assignee who may not answer here.',
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
        'Corrects what the person wants. A lead that has ended stays ended; one that a `later` holds ends, or is held until the new day. 422 where nothing came in that could have an intent.',
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
    'Reads your mailboxes and accounts at once, except those read within the last 30 seconds. Opener also reads them by itself: every 5 minutes after something was sent or came in, then less and less often, and at least once an hour. This does not appear in the audit log.',
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
