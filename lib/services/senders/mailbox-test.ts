import { Mailbox } from '#lib/contracts/senders/mailbox'
import { db, pool } from '#lib/db/client'
import { toStatements } from '#lib/db/statements'
import { failureCause, retryAfter } from '#lib/domain/sending/sender-failures'
import { AppError } from '#lib/errors'
import type { MailProvider } from '#lib/providers/mail/port'
import type { Vendors } from '#lib/services/senders/grants/access-token'
import { mailProvider } from '#lib/services/senders/mail-provider'
import { createOpener, verifyMailbox } from '#lib/services/senders/mailbox-connection'
import { WORKING, wakeOwned } from '#lib/services/senders/mailboxes'
import { tellOfFailing } from '#lib/services/senders/told'

/**
 * Connects and signs in without sending. The result becomes the mailbox's status, unless its settings were changed meanwhile. If it works
 * again, campaigns that waited for it continue at once. `isReadable` says whether its incoming mail can be read, which it may be waiting
 * for as well.
 */
export async function testMailbox(
  workspaceId: string,
  mailboxId: string,
  now: Date,
  provider: MailProvider = mailProvider(),
  vendors?: Vendors,
  isReadable: Promise<boolean> = Promise.resolve(true),
) {
  const where = { mailbox_id: mailboxId, workspace_id: workspaceId }
  const mailbox = await db.mailbox.findFirst({ where, include: { grant: { select: { vendor: true } } } })
  if (!mailbox) throw new AppError('mailbox_not_found')
  const { username = null, ...server } = Mailbox.shape.smtp.parse(mailbox.smtp)
  const by_oauth = mailbox.grant !== null
  const openable = { ...mailbox, smtp: { ...server, username }, by_oauth, as_typed: !by_oauth }
  const opener = createOpener(pool(), () => now, vendors)
  const verified = await verifyMailbox(provider, opener, openable)
  const unchanged = { ...where, updated_at: mailbox.updated_at }
  if (verified.ok) {
    // It waits for its incoming mail, about which the SMTP server says nothing.
    const stillWaits = mailbox.failing_cause === 'unreadable' && !(await isReadable)
    const data = { ...(!stillWaits && WORKING), last_checked_at: now }
    await db.$transaction(async (tx) => {
      await wakeOwned(tx, workspaceId, now)
      await tx.mailbox.updateMany({ where: unchanged, data })
    })
    return { ok: true, cause: null, error: null, checked_at: now }
  }
  const cause = verified.cause ?? failureCause(verified.reason) ?? 'unreachable'
  const said = { last_error: verified.error.slice(0, 1_000), failing_cause: cause }
  // A mailbox that was failing before keeps the time of its next try.
  await db.mailbox.updateMany({
    where: { ...unchanged, status: 'failing' },
    data: { ...said, last_checked_at: now },
  })
  await db.$transaction(async (tx) => {
    const { count } = await tx.mailbox.updateMany({
      where: { ...unchanged, status: 'connected' },
      data: {
        ...said,
        status: 'failing',
        failing_since: now,
        failing_tries: 1,
        next_try_at: new Date(now.getTime() + retryAfter(1)),
        last_checked_at: now,
      },
    })
    if (count > 0) await tellOfFailing(toStatements(tx), 'email', mailboxId, now)
  })
  return { ok: false, cause, error: verified.error, checked_at: now }
}
