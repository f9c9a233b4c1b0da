import type { InboxMessage } from '#lib/contracts/inbox/inbox'
import { db, pool } from '#lib/db/client'
import type { ThreadModel } from '#lib/db/generated/models'
import { uuidv7 } from '#lib/db/uuid'
import { nextPoll } from '#lib/domain/inbox/poll-cadence'
import { textToHtml } from '#lib/domain/messages/html'
import { buildMailMessage } from '#lib/domain/messages/mail-message'
import { AppError } from '#lib/errors'
import type { MailOutcome, MailProvider } from '#lib/providers/mail/port'
import { replyInChat } from '#lib/services/inbox/chat-reply'
import { answerRefusal, findThreadMailbox } from '#lib/services/inbox/threads'
import { mailProvider } from '#lib/services/senders/mail-provider'
import { openConnection } from '#lib/services/sending/run'

type Sent = Omit<InboxMessage, 'at'> & { at: Date }

/**
 * Answers in a conversation: the row is there before the mail is offered, under the id that the Message-ID is made of, so
 * that a crash leaves an uncertain answer and never two, and a copy in the Sent folder is known again.
 */
export async function replyInInbox(
  workspaceId: string,
  threadId: string,
  text: string,
  now: Date,
  provider: MailProvider = mailProvider(),
): Promise<Sent> {
  const thread = await db.thread.findFirst({ where: { thread_id: threadId, workspace_id: workspaceId } })
  if (!thread) throw new AppError('thread_not_found')
  const refusal = await answerRefusal(workspaceId, thread)
  if (refusal) throw refusal
  if (thread.channel === 'social') return replyInChat(workspaceId, thread, text, now)
  const mailbox = await findThreadMailbox(workspaceId, thread.mailbox_id)
  if (!mailbox) throw new AppError('no_sender')
  const ids = await threadIds(thread)
  const inbox_message_id = uuidv7(now)
  const mail = buildMailMessage({
    action_id: inbox_message_id,
    rendered: { subject: replySubject(thread.subject), text, html: textToHtml(text) },
    sender: mailbox,
    recipient: { address: thread.counterpart_address, name: thread.counterpart_name },
    date: now,
    thread: ids,
    unsubscribe: null,
  })
  const row = await db.inboxMessage.create({
    data: {
      inbox_message_id,
      thread_id: threadId,
      workspace_id: workspaceId,
      mailbox_id: mailbox.mailbox_id,
      direction: 'out',
      kind: 'answer',
      from_address: mailbox.address,
      from_name: mailbox.name,
      recipients: [mail.to],
      subject: mail.subject,
      text,
      message_id: mail.message_id,
      in_reply_to: mail.in_reply_to,
      references: mail.references,
      at: now,
      delivery_status: 'sending',
    },
  })
  const fate = toFate(await provider.send(openConnection(mailbox), mail))
  await db.$transaction([
    db.inboxMessage.update({ where: { inbox_message_id }, data: fate }),
    ...(fate.delivery_status === 'failed'
      ? []
      : [noteAnswer(thread, text, now), noteLeft(mailbox.mailbox_id, now)]),
  ])
  const { from_address, from_name, subject } = row
  return {
    inbox_message_id,
    action_id: null,
    direction: 'out',
    kind: 'answer',
    step: null,
    action_type: null,
    from_address,
    from_name,
    subject,
    text,
    unreadable: null,
    html: null,
    attachments: [],
    at: now,
    ...fate,
  }
}

const replySubject = (subject: string) => (/^re:/i.test(subject) ? subject : `Re: ${subject}`)

/** Message-IDs of the conversation so far, oldest first. */
async function threadIds(thread: ThreadModel): Promise<string[]> {
  const { rows } = await pool().query<{ message_id: string }>(
    `SELECT message_id FROM (
       SELECT coalesce(server_message_id, message_id) AS message_id, at FROM inbox_messages
       WHERE thread_id = $1 AND message_id IS NOT NULL AND delivery_status IS DISTINCT FROM 'failed'
       UNION ALL
       SELECT coalesce(server_message_id, message_id), performed_at FROM actions
       WHERE campaign_lead_id = $2 AND message_id IS NOT NULL AND status IN ('sent', 'uncertain')) known
     ORDER BY at`,
    [thread.thread_id, thread.campaign_lead_id],
  )
  return rows.map((row) => row.message_id)
}

function toFate(outcome: MailOutcome): {
  delivery_status: 'sent' | 'failed' | 'uncertain'
  response: string
} {
  switch (outcome.outcome) {
    case 'accepted':
      return { delivery_status: 'sent', response: outcome.response }
    case 'unknown':
      return { delivery_status: 'uncertain', response: outcome.error }
    case 'never_left':
      return { delivery_status: 'failed', response: outcome.error }
    default:
      return { delivery_status: 'failed', response: outcome.response }
  }
}

/** An answer to it may come soon. */
const noteLeft = (mailbox_id: string, now: Date) =>
  db.mailbox.updateMany({
    where: { mailbox_id },
    data: {
      inbox_arrived_at: now,
      inbox_due_at: new Date(nextPoll({ since: now.getTime() }, now.getTime()) ?? now),
    },
  })

const noteAnswer = ({ thread_id }: ThreadModel, text: string, now: Date) =>
  db.thread.update({
    where: { thread_id },
    data: {
      last_message_at: now,
      last_direction: 'out',
      last_kind: 'answer',
      preview: text.replace(/\s+/g, ' ').trim().slice(0, 200),
      message_count: { increment: 1 },
      unread: false,
    },
  })
