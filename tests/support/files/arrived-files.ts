import { ReadInboxMessages } from '#lib/contracts/inbox/inbox'
import { db } from '#lib/db/client'
import { seal } from '#lib/db/seal'
import { call } from '#tests/support/call'
import { arrive } from '#tests/support/scenes/arrivals'
import { answered } from '#tests/support/scenes/inbox'
import { minutes } from '#tests/support/scenes/launched'
import { createImapServer, type ImapFolder } from '#tests/support/servers/imap'

type Part = { filename: string; type?: string; content: Buffer }
const wrapped = (content: Buffer) => content.toString('base64').replace(/(.{76})/g, '$1\r\n')
const part = ({ filename, type = 'application/pdf', content }: Part) =>
  `--b\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; ${filename}\r\n\r\n${wrapped(content)}\r\n`
export const named = (name: string) => `filename="${name}"`

let made = 0

/** A lead's reply with these files attached. */
export async function withFiles(...parts: Part[]) {
  const scene = await answered()
  const { mail, mailbox, owner, params } = scene
  const message_id = `<files-${++made}@lead.test>`
  const head = `From: "Ada Quinn" <${mail.to.address}>\r\nTo: <${mailbox.address}>\r\nSubject: Re: ${mail.subject}\r\nIn-Reply-To: ${mail.message_id}\r\nMessage-ID: ${message_id}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nHere it is.\r\n\r\n`
  const raw = `${head}${parts.map(part).join('')}--b--\r\n`
  await arrive(mailbox, raw, minutes(45), { uid: 4_000 + made, uid_validity: 7n })
  const latest = (await call(ReadInboxMessages, { as: owner, params })).body.messages.at(-1)
  if (!latest?.inbox_message_id) throw new Error('it did not come in')
  const which = { ...params, inbox_message_id: latest.inbox_message_id }
  return { ...scene, raw, uid: 4_000 + made, latest, which, message_id }
}

/** Larger than the part of an email that is stored. */
export const LARGE = Buffer.alloc(1_500_000, 'Opener ')

/** The same with one file, in a mailbox that can be read again. */
export async function filesInMailbox(
  closers: (() => Promise<void>)[],
  content: Buffer = LARGE,
  folders: Record<string, ImapFolder> = {},
) {
  const scene = await withFiles({ filename: named('Large.pdf'), content })
  const inbox: ImapFolder = { uid_validity: 7, mails: [] }
  const put = (folder = inbox, uid = scene.uid) => folder.mails.push({ uid, raw: scene.raw, at: minutes(45) })
  const imap = await createImapServer({ INBOX: inbox, ...folders })
  closers.push(imap.close)
  await db.mailbox.update({
    where: { mailbox_id: scene.mailbox.mailbox_id },
    data: {
      imap: { host: '127.0.0.1', port: imap.port, security: 'none', username: 'dana' },
      imap_password: seal('secret'),
    },
  })
  return { ...scene, inbox, imap, put }
}
