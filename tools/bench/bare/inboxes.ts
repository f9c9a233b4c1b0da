// IMAP mailboxes in their own process, from a file with the texts of each mailbox's mails. Prints the ports on which they listen.
import { readFileSync } from 'node:fs'
import { createImapServer } from '#tests/support/servers/imap'

const inboxes: string[][] = JSON.parse(readFileSync(process.env.BENCH_INBOXES ?? '', 'utf8'))
const at = new Date()
const servers = await Promise.all(
  inboxes.map((mails) =>
    createImapServer({
      INBOX: { uid_validity: 1, mails: mails.map((raw, index) => ({ uid: index + 1, raw, at })) },
    }),
  ),
)
console.log(JSON.stringify({ ports: servers.map(({ port }) => port) }))
