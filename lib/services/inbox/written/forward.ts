import type { z } from 'zod'
import type { ForwardInInbox } from '#lib/contracts/inbox/forward'
import type { InboxMessage } from '#lib/contracts/inbox/inbox'
import { db } from '#lib/db/client'
import type { ThreadModel } from '#lib/db/generated/models'
import { uuidv7 } from '#lib/db/uuid'
import { forwardedText, forwardSubject, withoutUnsubscribeLinks } from '#lib/domain/inbox/written/forwarded'
import { textToHtml } from '#lib/domain/messages/html'
import { buildMailMessage } from '#lib/domain/messages/mail-message'
import { isOwnAddress } from '#lib/domain/messages/own-addresses'
import type { Maker } from '#lib/domain/workspaces/maker'
import { AppError, invalid } from '#lib/errors'
import type { MailProvider } from '#lib/providers/mail/port'
import { NO_INTENT } from '#lib/services/inbox/thread/intents'
import { findThreadMailbox } from '#lib/services/inbox/thread/may-answer'
import { allowedCopies, readPeople } from '#lib/services/inbox/written/copies'
import { answerSignature, deliverWritten, findSent } from '#lib/services/inbox/written/deliver'
import { loadForwardedFiles } from '#lib/services/inbox/written/forwarded-files'
import { findListed } from '#lib/services/leads/suppression-reach'
import { nameAttachments } from '#lib/services/messages/attached/attachments'
import { mailProvider } from '#lib/services/senders/mail-provider'
import { workspaceTimezone } from '#lib/services/workspaces/users'

type Sent = Omit<InboxMessage, 'at'> & { at: Date }
type Body = z.output<typeof ForwardInInbox.body>
type Which = z.output<typeof ForwardInInbox.params>

/** Forwards a message to somebody else. The row is stored before the mail is offered, as for a reply. */
export async function forwardInInbox(
  { workspace_id, user_id }: Maker,
  { thread_id, inbox_message_id: ofId }: Which,
  body: Body,
  now: Date,
  provider: MailProvider = mailProvider(),
): Promise<Sent> {
  const { thread, original } = await findOriginal(workspace_id, thread_id, ofId)
  const mailbox = await findThreadMailbox(workspace_id, thread.mailbox_id)
  if (!mailbox) throw new AppError('no_sender')
  if (isOwnAddress(mailbox, body.to)) throw invalid(['body', 'to'], 'is this mailbox’s own address')
  const entry = await findListed(workspace_id, { email: body.to })
  if (entry) throw invalid(['body', 'to'], `${entry.value} is on the suppression list (${entry.reason}).`)
  const copies = await allowedCopies({ ...thread, counterpart_address: body.to }, body)
  const { files, listed: attachments } = await loadForwardedFiles(original, body, now)
  const subject = forwardSubject(withoutUnsubscribeLinks(original.subject || thread.subject))
  const text = forwardedText(body.text, {
    ...original,
    from: { name: original.from_name, address: original.from_address },
    to: readPeople(original.recipients),
    date: await dateWords(workspace_id, original.at),
  })
  const inbox_message_id = uuidv7(now)
  const mail = buildMailMessage({
    action_id: inbox_message_id,
    rendered: { subject, text, html: textToHtml(text) },
    sender: { ...mailbox, signature: await answerSignature(workspace_id, mailbox) },
    recipient: { address: body.to },
    ...copies,
    date: now,
    // Starts a thread of its own: replies to it are not from the lead.
    thread: [],
    unsubscribe: null,
  })
  const recipients = [
    { name: null, address: body.to },
    ...copies.cc.map((address) => ({ name: null, address })),
  ]
  const { address: from_address, name: from_name } = mail.from
  const written = { inbox_message_id, user_id, from_address, from_name, recipients, ...copies, subject, text }
  const row = { ...written, direction: 'out', kind: 'forward', attachments, at: now } as const
  const { mailbox_id } = mailbox
  const { message_id } = mail
  const sending = { thread_id, mailbox_id, message_id, delivery_status: 'sending' }
  await db.$transaction(async (tx) => {
    const attachment_ids = (await nameAttachments(tx, workspace_id, body.attachment_ids ?? [], now)).map(toId)
    await tx.inboxMessage.create({ data: { ...row, ...sending, workspace_id, attachment_ids } })
  })
  const fate = await deliverWritten(
    mailbox,
    { ...mail, attachments: files },
    { inbox_message_id, provider, find: findSent },
    now,
    (tx) => tx.thread.update({ where: { thread_id }, data: { message_count: { increment: 1 } } }),
  )
  const author = await db.user.findUnique({ where: { user_id }, select: { name: true, email: true } })
  return {
    ...row,
    ...NO_INTENT,
    ...fate,
    author_name: author && (author.name || author.email),
    action_id: null,
    step: null,
    action_type: null,
    unreadable: null,
    html: null,
    attachments_kept: attachments.length > 0,
  }
}

const toId = ({ attachment_id }: { attachment_id: string }) => attachment_id

async function findOriginal(workspace_id: string, thread_id: string, inbox_message_id: string) {
  const thread = await db.thread.findFirst({ where: { thread_id, workspace_id } })
  if (!thread) throw new AppError('thread_not_found')
  const original = await db.inboxMessage.findFirst({
    where: { inbox_message_id, thread_id, workspace_id },
    include: { inbound_message: { select: { raw: true } } },
  })
  if (!original) throw new AppError('message_not_found')
  const why = whyNot(thread, original)
  if (why) throw new AppError('invalid_state', { message: why })
  return { thread, original }
}

function whyNot({ channel }: ThreadModel, { unreadable }: { unreadable: string | null }): string | null {
  if (channel !== 'email') return 'A chat cannot be forwarded.'
  return unreadable ? 'This email could not be read, so it cannot be forwarded.' : null
}

async function dateWords(workspaceId: string, at: Date): Promise<string> {
  const timeZone = await workspaceTimezone(workspaceId)
  const form = { dateStyle: 'full', timeStyle: 'short', timeZone } as const
  return `${new Intl.DateTimeFormat('en-GB', form).format(at)} (${timeZone})`
}
