import { db, pool } from '#lib/db/client'
import { seal } from '#lib/db/seal'
import { createImapProvider } from '#lib/providers/inbox/imap'
import { pollInboxes } from '#lib/services/inbox/mailboxes/poll'
import { dispatchAt, launched, MONDAY, minutes } from '#tests/support/scenes/launched'
import { createImapServer, type ImapFault, type ImapFolder } from '#tests/support/servers/imap'

const closers: (() => Promise<void>)[] = []
export async function closeImapServers(): Promise<void> {
  await Promise.all(closers.splice(0).map((close) => close()))
  await db.campaign.deleteMany()
  await db.mailbox.deleteMany()
}

export const crlf = (raw: string) => raw.replace(/\r?\n/g, '\r\n')
export const TIMEOUTS = { connect: 60_000, greeting: 60_000, reply: 5_000 }
export const imapProvider = (max_source_bytes?: number) =>
  createImapProvider({
    policy: { allow_private_hosts: true },
    timeouts: TIMEOUTS,
    ...(max_source_bytes && { max_source_bytes }),
  })

export async function anImapServer(folders: Record<string, ImapFolder>, fault?: ImapFault) {
  const imap = await createImapServer(folders, fault)
  closers.push(imap.close)
  return imap
}

export const connectImap = (mailbox_id: string, port: number, username = 'dana') =>
  db.mailbox.update({
    where: { mailbox_id },
    data: {
      imap: { host: '127.0.0.1', port, security: 'none', username },
      imap_password: seal('secret'),
      created_at: MONDAY,
    },
  })

export const pollImap = (mailbox_ids: string[], at = minutes(30), imap = imapProvider()) =>
  pollInboxes({ pool: pool(), imap, clock: () => at, until: minutes(100_000), mailbox_ids })

/** An IMAP mailbox whose campaign has written to `leads` people. */
export async function begunOverImap(leads = 3, folders: Record<string, ImapFolder> = {}, fault?: ImapFault) {
  const made = await launched({}, leads)
  const { outbox } = await dispatchAt(MONDAY)
  const inbox: ImapFolder = { uid_validity: 7, mails: [] }
  const imap = await anImapServer({ INBOX: inbox, ...folders }, fault)
  await connectImap(made.mailbox.mailbox_id, imap.port)
  const id = made.mailbox.mailbox_id
  const put = (raw: string, folder = inbox) =>
    folder.mails.push({ uid: (folder.mails.at(-1)?.uid ?? 0) + 3, raw: crlf(raw), at: minutes(20) })
  const statuses = async () =>
    (
      await db.campaignLead.findMany({
        where: { campaign_id: made.campaign_id },
        orderBy: { lead_index: 'asc' },
      })
    ).map(({ status }) => status)
  return {
    ...made,
    outbox,
    imap,
    inbox,
    id,
    put,
    statuses,
    mail: (i: number) => outbox[i] as (typeof outbox)[number],
  }
}
