import type { InboxMessage } from '#lib/contracts/inbox/inbox'
import { db, pool } from '#lib/db/client'
import type { Prisma } from '#lib/db/generated/client'
import type { ThreadModel } from '#lib/db/generated/models'
import { toStatements } from '#lib/db/statements'
import { uuidv7 } from '#lib/db/uuid'
import { textToHtml } from '#lib/domain/messages/html'
import { buildMailMessage } from '#lib/domain/messages/mail-message'
import type { Maker } from '#lib/domain/workspaces/maker'
import { AppError } from '#lib/errors'
import type { MailProvider } from '#lib/providers/mail/port'
import { replyInChat } from '#lib/services/inbox/planned/chat-reply'
import { keepDraft } from '#lib/services/inbox/planned/drafts'
import { planReply } from '#lib/services/inbox/planned/plan'
import { type Reply, type Said, takeTurn, type Unnamed } from '#lib/services/inbox/planned/take'
import { NO_INTENT } from '#lib/services/inbox/thread/intents'
import { findAnsweringMailbox, mayAnswer } from '#lib/services/inbox/thread/may-answer'
import { allowedCopies, toRecipients } from '#lib/services/inbox/written/copies'
import { answerSignature, deliverWritten, findSent } from '#lib/services/inbox/written/deliver'
import { onWrittenInInbox } from '#lib/services/leads/state/by-hand'
import { loadAttachments, nameAttachments } from '#lib/services/messages/attached/attachments'
import { mailProvider } from '#lib/services/senders/mail-provider'
import type { FindSent } from '#lib/services/senders/sent/sent-mark'
import { noteAnswer } from '#lib/services/social/note-answer'

type Sent = Omit<InboxMessage, 'at'> & { at: Date }

/** Replies in a conversation, now or at a scheduled time, unless it has a newer message than the user saw. */
export const replyInInbox = (
  user: Maker,
  threadId: string,
  reply: Reply,
  now: Date,
  provider?: MailProvider,
): Promise<Sent> => sendReply(user, threadId, reply, now, provider)

/** The same for a scheduled reply: `due_at` and `version` identify the state of the draft. */
export async function sendReply(
  user: Maker,
  threadId: string,
  reply: Said,
  now: Date,
  provider: MailProvider = mailProvider(),
  find: FindSent = findSent,
): Promise<Sent> {
  const { workspace_id, user_id } = user
  const thread = await db.thread.findFirst({ where: { thread_id: threadId, workspace_id } })
  if (!thread) throw new AppError('thread_not_found')
  const { refusal } = await mayAnswer(workspace_id, thread)
  if (refusal) throw refusal
  const author = await db.user.findUnique({ where: { user_id }, select: { name: true, email: true } })
  const { send_at } = reply
  const sent =
    send_at && send_at > now
      ? await planReply(user, thread, reply, send_at, now)
      : thread.channel === 'social'
        ? await replyInChat(user, thread, reply, now)
        : await replyByMail(user, thread, reply, now, { provider, find })
  // The text of a refused reply is kept as a draft.
  if (sent.delivery_status === 'failed' && reply.draft_id)
    await putBack(user, thread, { ...sent, attachment_ids: reply.attachment_ids ?? [] }, now)
  return { ...sent, author_name: author && (author.name || author.email) }
}

async function putBack(
  user: Maker,
  { thread_id }: ThreadModel,
  { text, cc, bcc, attachment_ids, response }: Unnamed & { attachment_ids: string[] },
  now: Date,
) {
  const stopped = `It was not sent: ${response}`
  const said = { text, cc, bcc, attachment_ids }
  const kept = { thread_id, ...said, last_message_id: null, send_at: null, stopped }
  await db.$transaction((tx) => keepDraft(tx, user, kept, now))
}

/**
 * The row is stored before the mail is offered, with the id that its Message-ID is made from. So a crash
 * leaves one uncertain reply rather than sending two, and the copy in the Sent folder is recognized.
 */
async function replyByMail(
  { workspace_id, user_id }: Maker,
  thread: ThreadModel,
  said: Said,
  now: Date,
  { provider, find }: { provider: MailProvider; find: FindSent },
): Promise<Unnamed> {
  const { thread_id } = thread
  const { text, attachment_ids = [] } = said
  const mailbox = await findAnsweringMailbox(workspace_id, thread)
  if (!mailbox) throw new AppError('no_sender')
  const copies = await allowedCopies(thread, said)
  const files = await loadAttachments(workspace_id, attachment_ids)
  const ids = await threadIds(thread)
  const inbox_message_id = said.draft_id ?? uuidv7(now)
  const mail = buildMailMessage({
    action_id: inbox_message_id,
    rendered: { subject: replySubject(thread.subject), text, html: textToHtml(text) },
    sender: { ...mailbox, signature: await answerSignature(workspace_id, mailbox) },
    recipient: { address: thread.counterpart_address, name: thread.counterpart_name },
    ...copies,
    date: now,
    thread: ids,
    unsubscribe: null,
  })
  const attachments = files.map(({ filename, content_type, size_bytes }) => ({
    filename,
    content_type,
    size_bytes,
  }))
  const row = await writeSeen(thread_id, said, now, {
    inbox_message_id,
    thread_id,
    workspace_id,
    user_id,
    mailbox_id: mailbox.mailbox_id,
    direction: 'out',
    kind: 'answer',
    from_address: mail.from.address,
    from_name: mailbox.name,
    recipients: toRecipients(thread, copies.cc),
    ...copies,
    subject: mail.subject,
    text,
    attachments,
    attachment_ids,
    message_id: mail.message_id,
    in_reply_to: mail.in_reply_to,
    references: mail.references,
    at: now,
    delivery_status: 'sending',
  })
  const fate = await deliverWritten(
    mailbox,
    { ...mail, attachments: files },
    { inbox_message_id, provider, find },
    now,
    async (tx) => {
      const written = { inbox_message_id, from: mail.from.address, subject: mail.subject }
      await onWrittenInInbox(toStatements(tx), thread, written, now)
      await noteAnswer(toStatements(tx), { inbox_message_id, thread_id }, text, now)
    },
  )
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
    user_id,
    recipients: toRecipients(thread, copies.cc),
    ...copies,
    subject,
    text,
    ...NO_INTENT,
    unreadable: null,
    html: null,
    attachments,
    attachments_kept: attachments.length > 0,
    at: now,
    ...fate,
  }
}

const writeSeen = (threadId: string, said: Said, now: Date, data: Prisma.InboxMessageUncheckedCreateInput) =>
  db.$transaction(async (tx) => {
    await takeTurn(toStatements(tx), threadId, said, now)
    await nameAttachments(tx, data.workspace_id, said.attachment_ids ?? [], now)
    return tx.inboxMessage.create({ data })
  })

const replySubject = (subject: string) => (/^re:/i.test(subject) ? subject : `Re: ${subject}`)

/** Message-IDs of the conversation so far, oldest first. */
async function threadIds(thread: ThreadModel): Promise<string[]> {
  const { rows } = await pool().query<{ message_id: string }>(
    `SELECT message_id FROM (
       SELECT coalesce(server_message_id, message_id) AS message_id, at FROM inbox_messages
       WHERE thread_id = $1 AND message_id IS NOT NULL AND kind <> 'forward' AND delivery_status IS DISTINCT FROM 'failed'
       UNION ALL
       SELECT coalesce(server_message_id, message_id), performed_at FROM actions
       WHERE campaign_lead_id = $2 AND channel = 'email' AND message_id IS NOT NULL AND status IN ('sent', 'uncertain')) known
     ORDER BY at`,
    [thread.thread_id, thread.campaign_lead_id],
  )
  return rows.map((row) => row.message_id)
}
