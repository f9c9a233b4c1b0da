import { Mailbox } from '#lib/contracts/senders/mailboxes'
import { db, pool } from '#lib/db/client'
import { env } from '#lib/env'
import { mailProvider } from '#lib/services/senders/mail-provider'
import { createOpener, sendFrom } from '#lib/services/senders/mailbox-connection'
import type { NoticeMailbox } from '#lib/services/telling/mail-sender'

/**
 * A mailbox that a workspace chose to write its notices from. It counts towards none of its limits: those are for campaigns. One
 * that fails rests until it works again, and what the sandbox would keep nobody would read.
 */
export const noticeMailbox: NoticeMailbox = async (mailbox_id, now) => {
  const mailbox = await db.mailbox.findFirst({
    where: { mailbox_id, status: 'connected' },
    include: { grant: { select: { vendor: true } } },
  })
  if (!mailbox) return null
  const { username = null, ...server } = Mailbox.shape.smtp.parse(mailbox.smtp)
  if (server.host === '127.0.0.1' && server.port === env().SANDBOX_SMTP_PORT) return null
  const openable = { ...mailbox, smtp: { ...server, username }, by_oauth: mailbox.grant !== null }
  const opener = createOpener(pool(), () => now)
  return {
    from: { name: mailbox.name, address: mailbox.address },
    send: (mail) => sendFrom(mailProvider(), opener, openable, mail),
  }
}
