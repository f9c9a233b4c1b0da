import MailComposer from 'nodemailer/lib/mail-composer'
import type { MailAddress, OutgoingMail } from '#lib/providers/mail/port'

const mailbox = ({ name, address }: MailAddress) => ({ name: name ?? '', address })

/**
 * The message as it goes over the wire (RFC 5322, multipart/alternative). The boundary is derived from the
 * Message-ID and no header names the software, so that equal input gives equal bytes.
 */
export async function composeMail(mail: OutgoingMail): Promise<Buffer> {
  const composer = new MailComposer({
    from: mailbox(mail.from),
    to: [mailbox(mail.to)],
    ...(mail.reply_to && { replyTo: mailbox(mail.reply_to) }),
    subject: mail.subject,
    date: mail.date,
    messageId: mail.message_id,
    ...(mail.in_reply_to && { inReplyTo: mail.in_reply_to }),
    ...(mail.references.length > 0 && { references: mail.references }),
    headers: Object.entries(mail.headers).map(([key, value]) => ({ key, value })),
    text: mail.text,
    html: mail.html,
    boundaryPrefix: '=_',
    baseBoundary: mail.message_id.replace(/[^A-Za-z0-9]/g, '').slice(0, 40),
    // Attachments and links are never read from disk or network on behalf of a template.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return asSent(await composer.compile().build())
}

/** Bodies come with line feeds alone, which the connection would make whole: a signature counts what arrives. */
function asSent(built: Buffer): Buffer {
  const text = built.toString('latin1').replace(/\r?\n/g, '\r\n')
  return Buffer.from(text.endsWith('\r\n') ? text : `${text}\r\n`, 'latin1')
}
