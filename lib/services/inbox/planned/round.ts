import { db, pool } from '#lib/db/client'
import type { Prisma } from '#lib/db/generated/client'
import { toStatements } from '#lib/db/statements'
import { ANSWERING_ROLES } from '#lib/domain/workspaces/roles'
import { AppError, ValidationError } from '#lib/errors'
import type { MailProvider } from '#lib/providers/mail/port'
import { sendReply } from '#lib/services/inbox/reply'
import type { Worked } from '#lib/services/instance/bells'
import { mailProvider } from '#lib/services/senders/mail-provider'
import { tell } from '#lib/services/telling/tell'
import { requireOwnWork } from '#lib/services/workspaces/own-rows'

const BATCH = 100
/** Replies sent concurrently, so that a server that does not answer delays only its own. */
const AT_ONCE = 8

type Due = {
  draft_id: string
  workspace_id: string
  thread_id: string
  user_id: string | null
  text: string
  cc: string[]
  bcc: string[]
  attachment_ids: string[]
  last_message_id: string | null
  version: number
}
type Became = 'sent' | 'stopped' | 'gone'

const DUE = `SELECT draft_id, workspace_id, thread_id, user_id, text, cc, bcc, attachment_ids, last_message_id,
  version FROM inbox_drafts
  WHERE send_at <= $1 ORDER BY send_at, draft_id LIMIT ${BATCH}`

/** Sends the replies that are due. A failure of one does not stop the others and is thrown at the end. */
export async function answersRound(
  now: Date,
  provider: MailProvider = mailProvider(),
): Promise<Worked & Record<Became, number>> {
  const { rows } = await pool().query<Due>(DUE, [now])
  const counts = { sent: 0, stopped: 0, gone: 0 }
  const faults: unknown[] = []
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    const works = rows.slice(from, from + AT_ONCE).map((due) => sendDue(due, now, provider))
    for (const done of await Promise.allSettled(works)) {
      if (done.status === 'fulfilled') counts[done.value] += 1
      else faults.push(done.reason)
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} answers could not be sent`)
  return { ...counts, goes_on: rows.length === BATCH }
}

/**
 * The draft is deleted in the transaction that stores the message, before it is offered, so that neither two
 * rounds nor a crash can send it twice. If sending is refused before that, it remains a draft with the
 * reason.
 */
async function sendDue(due: Due, now: Date, provider: MailProvider): Promise<Became> {
  const { draft_id, workspace_id, thread_id, text, cc, bcc, attachment_ids, last_message_id } = due
  try {
    const user = { workspace_id, user_id: await requireAuthor(due) }
    const words = { text, cc, bcc, attachment_ids }
    const said = { ...words, last_message_id, draft_id, version: due.version, due_at: now }
    const { delivery_status, response } = await sendReply(user, thread_id, said, now, provider)
    if (delivery_status !== 'failed') return 'sent'
    await db.$transaction((tx) => tellStopped(tx, due, response ?? 'it was refused'))
    return 'stopped'
  } catch (error) {
    // One of the copies' recipients may have been suppressed since.
    if (error instanceof ValidationError)
      return stop(due, error.problems.map(({ msg }) => msg).join(' '), now)
    if (!(error instanceof AppError)) throw error
    return stop(due, error.message, now)
  }
}

/** The author must still be allowed to reply; they may have left since. */
async function requireAuthor({ workspace_id, user_id, thread_id }: Due): Promise<string> {
  const member = user_id && (await db.member.findFirst({ where: { workspace_id, user_id } }))
  if (!member || !ANSWERING_ROLES.includes(member.role))
    throw new AppError('role_insufficient', { message: 'Its author can no longer reply here.' })
  await requireOwnWork(member, [{ name: 'thread_id', id: thread_id }])
  return member.user_id
}

async function stop(due: Due, why: string, now: Date): Promise<Became> {
  const { draft_id, version } = due
  return db.$transaction(async (tx) => {
    const { count } = await tx.inboxDraft.updateMany({
      where: { draft_id, version, send_at: { lte: now } },
      data: { send_at: null, stopped: why, updated_at: now, version: { increment: 1 } },
    })
    // Somebody else sent, changed or deleted it.
    if (count === 0) return 'gone'
    await tellStopped(tx, due, why)
    return 'stopped'
  })
}

/** Notifies the author, or everybody if the author is gone. */
async function tellStopped(
  tx: Prisma.TransactionClient,
  { workspace_id, thread_id, user_id }: Due,
  reason: string,
): Promise<void> {
  const thread = await tx.thread.findUnique({ where: { thread_id } })
  if (!thread) return
  const { campaign_id, campaign_lead_id, counterpart_name, counterpart_address } = thread
  const notice = {
    workspace_id,
    kind: 'answer_stopped' as const,
    ...(user_id && { user_id }),
    ...(campaign_id && { campaign_id }),
    ...(campaign_lead_id && { campaign_lead_id }),
    data: { thread_id, reason, email: counterpart_name || counterpart_address || null },
  }
  await tell(toStatements(tx), [], [notice])
}
