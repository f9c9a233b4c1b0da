import type { InboxMessage } from '#lib/contracts/inbox/inbox'
import { db } from '#lib/db/client'
import type { ThreadModel } from '#lib/db/generated/models'
import { toStatements } from '#lib/db/statements'
import type { Copies } from '#lib/domain/inbox/written/copies'
import type { Maker } from '#lib/domain/workspaces/maker'
import { AppError } from '#lib/errors'
import { keepDraft, refuseFilesInChat, requireFitting, requireSoon } from '#lib/services/inbox/planned/drafts'
import type { Reply, Unnamed } from '#lib/services/inbox/planned/take'
import { lockThread, requireSeen } from '#lib/services/inbox/thread/collision'
import { NO_INTENT } from '#lib/services/inbox/thread/intents'
import { allowedCopies, toRecipients } from '#lib/services/inbox/written/copies'
import { attachedFiles, nameAttachments } from '#lib/services/messages/attached/attachments'

/** Schedules a reply: a new one, or a draft. */
export async function planReply(
  user: Maker,
  thread: ThreadModel,
  reply: Reply,
  send_at: Date,
  now: Date,
): Promise<Unnamed> {
  const { text, last_message_id = null, draft_id, attachment_ids = [] } = reply
  requireFitting(thread, text)
  refuseFilesInChat(thread, attachment_ids)
  requireSoon(send_at, now)
  const { workspace_id, user_id } = user
  const { thread_id } = thread
  const copies = await allowedCopies(thread, reply)
  const data = { text, ...copies, attachment_ids, last_message_id, send_at, stopped: null }
  const inbox_message_id = await db.$transaction(async (tx) => {
    await lockThread(toStatements(tx), thread_id)
    await requireSeen(toStatements(tx), thread_id, last_message_id, now, draft_id)
    if (!draft_id) return keepDraft(tx, user, { ...data, thread_id }, now)
    await nameAttachments(tx, workspace_id, attachment_ids, now)
    const { count } = await tx.inboxDraft.updateMany({
      where: { draft_id, thread_id, workspace_id },
      data: { ...data, user_id, updated_at: now, version: { increment: 1 } },
    })
    if (count === 0) throw new AppError('draft_not_found')
    return draft_id
  })
  const attachments = await attachedFiles(workspace_id, attachment_ids)
  const said = { text, ...copies, attachments }
  return { ...(await planned(thread, said, user_id, send_at)), inbox_message_id }
}

async function planned(
  { mailbox_id, connected_account_id, channel, subject, counterpart_address, counterpart_name }: ThreadModel,
  { text, cc, bcc, attachments }: { text: string } & Copies & Pick<Unnamed, 'attachments'>,
  user_id: string,
  at: Date,
): Promise<Omit<Unnamed, 'inbox_message_id'>> {
  const mailbox = mailbox_id ? await db.mailbox.findUnique({ where: { mailbox_id } }) : null
  const account = connected_account_id
    ? await db.connectedAccount.findUnique({ where: { account_id: connected_account_id } })
    : null
  return {
    action_id: null,
    direction: 'out',
    kind: 'answer',
    step: null,
    action_type: null,
    from_address: mailbox?.address ?? account?.handle ?? account?.name ?? '',
    from_name: mailbox?.name ?? account?.name ?? null,
    user_id,
    recipients: channel === 'email' ? toRecipients({ counterpart_address, counterpart_name }, cc) : [],
    cc,
    bcc,
    subject: channel === 'email' ? subject : '',
    text,
    unreadable: null,
    html: null,
    attachments,
    attachments_kept: attachments.length > 0,
    at,
    delivery_status: 'scheduled' satisfies InboxMessage['delivery_status'],
    response: null,
    ...NO_INTENT,
  }
}
