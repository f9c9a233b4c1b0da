import type { InboxConnection, InboxProvider } from '#lib/providers/inbox/port'
import type { MailApi, MailboxConnection, MailProvider } from '#lib/providers/mail/port'

/** Routes each mailbox: over its vendor's API if its token is for that, otherwise over SMTP. */
export function routedMail(smtp: MailProvider, apis: Record<MailApi, MailProvider>): MailProvider {
  const route = ({ api }: MailboxConnection) => (api ? apis[api] : smtp)
  return {
    send: (mailbox, message, mayLeave) => route(mailbox).send(mailbox, message, mayLeave),
    verify: (mailbox, tried) => route(mailbox).verify(mailbox, tried),
    async close() {
      await Promise.all([smtp, ...Object.values(apis)].map((driver) => driver.close()))
    },
  }
}

/** The same for incoming mail. */
export function routedInbox(imap: InboxProvider, apis: Record<MailApi, InboxProvider>): InboxProvider {
  const route = ({ api }: InboxConnection) => (api ? apis[api] : imap)
  return {
    read: (connection, reading) => route(connection).read(connection, reading),
    findSent: (connection, mark) => route(connection).findSent(connection, mark),
    fetchWhole: (connection, mark) => route(connection).fetchWhole(connection, mark),
  }
}
