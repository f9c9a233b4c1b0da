import type { FileAnswer } from '#lib/contracts/fields'
import { db, pool } from '#lib/db/client'
import { MAX_NAME } from '#lib/domain/inbox/bounds'
import { listedFiles } from '#lib/domain/inbox/written/listed-files'
import { attachmentName } from '#lib/domain/messages/attached/filename'
import { AppError } from '#lib/errors'
import type { MailFile } from '#lib/providers/mail/port'
import { fetchWholeFrom, inboxProvider, type ReadableMailbox } from '#lib/services/inbox/mailboxes/provider'
import { MAIL_FILE_SEATS, seatOrRefusal } from '#lib/services/instance/seats'
import { loadAttachments } from '#lib/services/messages/attached/attachments'
import { readMailFile } from '#lib/services/reading/mail'

/** Size limit of an email fetched again from its mailbox: 25 MB of files as base64, plus text. */
const MOST_BYTES = 36 * 1024 * 1024

type Which = { thread_id: string; inbox_message_id: string; position: number }

/** A mail of which not all files are in the database. */
type Received = { workspace_id: string; inbound_message_id: string }

/** One file of a message, as a download. */
export async function downloadInboxFile(workspace_id: string, which: Which, now: Date): Promise<FileAnswer> {
  const giveBack = await seatOrRefusal(MAIL_FILE_SEATS, workspace_id)
  try {
    const { thread_id, inbox_message_id, position } = which
    const read = fileReader(workspace_id, thread_id, now)
    const { filename, content } = await read(inbox_message_id, position)
    return { filename, format: 'bytes', parts: inOnePart(content) }
  } finally {
    await giveBack()
  }
}

async function* inOnePart(content: Uint8Array) {
  yield content
}

/**
 * Reads files of one conversation's messages; each mail is loaded once, from the database or its mailbox,
 * however many files are read.
 */
export function fileReader(workspace_id: string, thread_id: string, now: Date) {
  const mails = new Map<string, Promise<Uint8Array>>()
  const loadMail = (inbound_message_id: string) => {
    const known = mails.get(inbound_message_id) ?? wholeMail({ workspace_id, inbound_message_id }, now)
    mails.set(inbound_message_id, known)
    return known
  }
  return async function read(inbox_message_id: string, position: number): Promise<MailFile> {
    const message = await findMessage(workspace_id, thread_id, inbox_message_id)
    const listed = message.attachments[position]
    if (!listed) throw new AppError('attachment_not_found')
    if (listed.of_message_id) return read(listed.of_message_id, listed.of_position ?? 0)
    const { inbound_message_id, attachment_ids, attachments } = message
    const filename = attachmentName(listed.filename ?? `attachment-${position + 1}`)
    if (!inbound_message_id) {
      // Forwarded files of other people come before the attached ones.
      const id = attachment_ids[position - (attachments.length - attachment_ids.length)]
      const [file] = await loadAttachments(workspace_id, id ? [id] : [])
      if (!file) throw new AppError('attachment_not_found')
      return { ...file, filename }
    }
    if (message.unreadable) throw missing('This email could not be read, so its files cannot be downloaded.')
    const piece = await readMailFile(workspace_id, await loadMail(inbound_message_id), position)
    // A mail that was only partly read earlier may have another file at this position.
    if (piece?.filename !== (listed.filename?.slice(0, MAX_NAME) ?? null))
      throw missing(`The file ${filename} could not be read from its email.`)
    return { ...piece, filename }
  }
}

const missing = (message: string) => new AppError('attachment_missing', { message })

async function findMessage(workspace_id: string, thread_id: string, inbox_message_id: string) {
  const message = await db.inboxMessage.findFirst({
    where: { inbox_message_id, thread_id, workspace_id },
    select: { attachments: true, attachment_ids: true, inbound_message_id: true, unreadable: true },
  })
  if (!message) throw new AppError('message_not_found')
  return { ...message, attachments: listedFiles(message.attachments) }
}

/** The stored mail, or else the one in its mailbox, where it may have been deleted. */
async function wholeMail({ workspace_id, inbound_message_id }: Received, now: Date): Promise<Uint8Array> {
  const mail = await db.inboundMessage.findFirst({ where: { inbound_message_id, workspace_id } })
  if (mail?.raw) return mail.raw
  const mailbox = mail && (await findMailbox(workspace_id, mail.mailbox_id))
  if (!mailbox) throw missing('The mailbox that this email came to is no longer connected.')
  const { folder, uid_validity, uid, message_key } = mail
  const message_id = message_key.startsWith('<') ? message_key : null
  const mark = { folder, uid_validity, uid, message_id, max_bytes: MOST_BYTES }
  const fetched = await fetchWholeFrom({ pool: pool(), imap: inboxProvider(), now }, mailbox, mark)
  if (fetched.ok) return fetched.raw
  if (fetched.reason === 'gone') throw missing('This email is no longer in its mailbox.')
  if (fetched.reason === 'too_large')
    throw missing('This email is larger than 36 MB. Open it in your mail program.')
  const message = 'The mailbox is not responding, so the file cannot be read right now. Try again later.'
  throw new AppError('provider_unavailable', { message, cause: fetched.error })
}

async function findMailbox(workspace_id: string, mailbox_id: string): Promise<ReadableMailbox | undefined> {
  const { rows } = await pool().query<ReadableMailbox>(
    `SELECT mailbox_id, imap, imap_password,
       EXISTS (SELECT 1 FROM mailbox_grants g WHERE g.mailbox_id = m.mailbox_id) AS by_oauth
     FROM mailboxes m WHERE workspace_id = $1 AND mailbox_id = $2`,
    [workspace_id, mailbox_id],
  )
  return rows[0]
}
