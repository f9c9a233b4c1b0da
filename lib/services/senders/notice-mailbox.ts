import { Mailbox } from '#lib/contracts/senders/mailbox'
import { db, pool } from '#lib/db/client'
import { sendingAddress } from '#lib/domain/messages/own-addresses'
import { env } from '#lib/env'
import type { OutgoingMail } from '#lib/providers/mail/port'
import { mailProvider } from '#lib/services/senders/mail-provider'
import { createOpener, sendFrom } from '#lib/services/senders/mailbox-connection'
import type { NoticeMailbox } from '#lib/services/telling/mail-sender'

/**
 * A mailbox that a workspace chose to write its notices from. It counts towards none of its limits: those are for campaigns. One
 * that fails rests until it works again, and what the sandbox would keep nobody would read.
 */
export const noticeMailbox: NoticeMailbox = (mailbox_id, now) =>
  openMailbox(mailbox_id, now, { alsoSandbox: false })

/** The same for whoever filled in a form. Who tries a form out with a mailbox of the sandbox reads its email there. */
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
