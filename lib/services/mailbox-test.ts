import { db, pool } from '#lib/db/client'
import type { MailboxModel } from '#lib/db/generated/models'
import { unseal } from '#lib/db/seal'
import { AppError } from '#lib/errors'
import type { MailboxConnection, MailProvider } from '#lib/providers/mail/port'
import { disconnectMailbox } from '#lib/services/disconnections'
import { mailProvider } from '#lib/services/mail-provider'
import { wakeCampaigns } from '#lib/services/mailboxes'

/**
 * Connects and signs in, and sends nothing. What it finds becomes the mailbox's status, unless its settings were changed
 * meanwhile: then it says nothing of the new ones. Campaigns paused by an earlier disconnection stay paused.
 */
export async function testMailbox(
  userId: string,
  mailboxId: string,
  now: Date,
  provider: MailProvider = mailProvider(),
) {
  const where = { mailbox_id: mailboxId, user_id: userId }
  const mailbox = await db.mailbox.findFirst({ where })
  if (!mailbox) throw new AppError('mailbox_not_found')
  const found = await provider.verify(connectionOf(mailbox))
  if (found.ok) {
    await db.$transaction(async (tx) => {
      await wakeCampaigns(tx, userId, now)
      await tx.mailbox.updateMany({
        where: { ...where, updated_at: mailbox.updated_at },
        data: { status: 'connected', last_error: null, last_checked_at: now },
      })
    })
    return { ok: true, error: null, checked_at: now }
  }
  const isUnchanged = await db.mailbox.count({ where: { ...where, updated_at: mailbox.updated_at } })
  if (isUnchanged) await disconnectMailbox(pool(), mailboxId, found.error, now)
  return { ok: false, error: found.error, checked_at: now }
}

function connectionOf({ smtp, smtp_password }: MailboxModel): MailboxConnection {
  const server = smtp as Omit<MailboxConnection, 'password'>
  return { ...server, password: smtp_password && unseal(smtp_password) }
}
