import { Mailbox } from '#lib/contracts/senders/mailbox'
import { db, pool } from '#lib/db/client'
import { sendingAddress } from '#lib/domain/messages/own-addresses'
import { env } from '#lib/env'
import type { OutgoingMail } from '#lib/providers/mail/port'
import { mailProvider } from '#lib/services/senders/mail-provider'
import { createOpener, sendFrom } from '#lib/services/senders/mailbox-connection'
import type { NoticeMailbox } from '#lib/services/telling/mail-sender'

/**
 * Opens the mailbox that a workspace chose for its notices. Notices do not count towards its limits, which are for campaigns. Null while it
 * fails, and for a sandbox mailbox, whose mail nobody would read.
 */
export const noticeMailbox: NoticeMailbox = (mailbox_id, now) =>
  openMailbox(mailbox_id, now, { alsoSandbox: false })

/** The same for mail to people who submit forms. A sandbox mailbox is allowed, so that its owner can try the form out. */
export const formMailbox: NoticeMailbox = (mailbox_id, now) =>
  openMailbox(mailbox_id, now, { alsoSandbox: true })

async function openMailbox(mailbox_id: string, now: Date, { alsoSandbox }: { alsoSandbox: boolean }) {
  const mailbox = await db.mailbox.findFirst({
    where: { mailbox_id, status: 'connected' },
    include: { grant: { select: { vendor: true } } },
  })
  if (!mailbox) return null
  const { username = null, ...server } = Mailbox.shape.smtp.parse(mailbox.smtp)
  const isSandbox = server.host === '127.0.0.1' && server.port === env().SANDBOX_SMTP_PORT
  if (isSandbox && !alsoSandbox) return null
  const openable = { ...mailbox, smtp: { ...server, username }, by_oauth: mailbox.grant !== null }
  const opener = createOpener(pool(), () => now)
  return {
    from: { name: mailbox.name, address: sendingAddress(mailbox) },
    send: (mail: OutgoingMail) => sendFrom(mailProvider(), opener, openable, mail),
  }
}
