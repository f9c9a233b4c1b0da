import * as base64 from 'nodemailer/lib/base64'
import MailComposer from 'nodemailer/lib/mail-composer'
import * as mimeFuncs from 'nodemailer/lib/mime-funcs'
import type MimeNode from 'nodemailer/lib/mime-node'
import * as qp from 'nodemailer/lib/qp'
import type { MailAddress, MailFile, OutgoingMail } from '#lib/providers/mail/port'

const mailbox = ({ name, address }: MailAddress) => ({ name: name ?? '', address })

/** A header line holds at most 998 characters (RFC 5322) and is folded only at blanks, so longer words are encoded in several parts. */
const foldable = (text: string) =>
  text.split(' ').some((word) => word.length > LONGEST_WORD) ? mimeFuncs.encodeWord(text, 'Q', 52) : text
const LONGEST_WORD = 900

const attachment = ({ filename, content_type, content }: MailFile) => ({
  filename,
  contentType: content_type,
  content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
  contentDisposition: 'attachment' as const,
  contentTransferEncoding: 'base64' as const,
})

/**
 * The message in its wire format (RFC 5322, multipart/alternative, with its attachments). The boundary is derived from the
 * Message-ID and no header names the software, so equal input gives equal bytes. `keeps_bcc`: for an API that reads the
 * recipients from the message alone and removes that header itself.
 */
export function composeMail(mail: OutgoingMail, { keeps_bcc = false } = {}): Buffer {
  const composer = new MailComposer({
    from: mailbox(mail.from),
    to: [mailbox(mail.to)],
    ...(mail.cc?.length && { cc: mail.cc.map(mailbox) }),
    ...(keeps_bcc && mail.bcc?.length && { bcc: mail.bcc.map(mailbox) }),
    ...(mail.reply_to && { replyTo: mailbox(mail.reply_to) }),
    subject: foldable(mail.subject),
    date: mail.date,
    messageId: mail.message_id,
    ...(mail.in_reply_to && { inReplyTo: mail.in_reply_to }),
    ...(mail.references.length > 0 && { references: mail.references }),
    headers: Object.entries(mail.headers).map(([key, value]) => ({ key, value })),
    text: mail.text,
    html: mail.html,
    ...(mail.attachments?.length && { attachments: mail.attachments.map(attachment) }),
    boundaryPrefix: '=_',
    baseBoundary: mail.message_id.replace(/[^A-Za-z0-9]/g, '').slice(0, 40),
    // A template must never make us read attachments or links from disk or network.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const root = composer.compile()
  root.keepBcc = keeps_bcc
  const text = written(root)
  // ASCII except for internationalized addresses (RFC 6532). Writing one byte per character would corrupt those, and could turn a
  // character into a line end.
  return Buffer.from(text.endsWith('\r\n') ? text : `${text}\r\n`, 'utf8')
}

/** One part with all its children. The library's own streams produce the same at three times the cost. */
function written(node: MimeNode): string {
  const head = `${node.buildHeaders()}\r\n\r\n`
  if (!node.multipart) return head + encoded(node)
  const parts = node.childNodes.map((child) => `--${node.boundary}\r\n${written(child)}\r\n`)
  return `${head}${parts.join('')}--${node.boundary}--\r\n`
}

/** The encoded content of a part, with CRLF line ends: a signature covers the bytes that arrive. */
function encoded(node: MimeNode): string {
  // A file is encoded as bytes, even if it is text.
  if (Buffer.isBuffer(node.content)) return base64.wrap(base64.encode(node.content))
  const words = `${node.content ?? ''}`.replace(/\r\n?|\n/g, '\r\n')
  switch (node.getTransferEncoding()) {
    case 'quoted-printable':
      return qp.wrap(qp.encode(words))
    case 'base64':
      return base64.wrap(base64.encode(words))
    default:
      return words
  }
}
