export const SANDBOX_ANSWERS = [
  'reply',
  'out_of_office',
  'hard_bounce',
  'soft_bounce',
  'complaint',
  'unsubscribe',
] as const
export type SandboxAnswer = (typeof SANDBOX_ANSWERS)[number]

/** The mail being answered, as its recipient has it. */
export type AnsweredMail = {
  from_address: string
  rcpt_to: string
  message_id: string
  subject: string
  /** Its header block, unparsed. */
  head: string
  text: string
}

export type AnswerInput = {
  /** Distinguishes one answer from another; becomes the Message-ID. */
  id: string
  at: Date
  /** A person's text; absent: a plain sentence. */
  text?: string
  /** YYYY-MM-DD, for an out-of-office notice. */
  until?: string
}

/** An answer in its wire format, and its return path: programs send none (RFC 3834, RFC 3464). */
export type SandboxMail = { envelope_from: string; raw: string }

/** Builds the messages that mail programs, auto-responders, mail servers and feedback loops really send. */
export function answerMail(kind: SandboxAnswer, mail: AnsweredMail, input: AnswerInput): SandboxMail {
  switch (kind) {
    case 'reply':
      return reply(mail, input)
    case 'out_of_office':
      return outOfOffice(mail, input)
    case 'hard_bounce':
      return bounce(
        mail,
        input,
        '5.1.1',
        `550 5.1.1 <${mail.rcpt_to}>: Recipient address rejected: User unknown`,
      )
    case 'soft_bounce':
      return bounce(mail, input, '4.2.2', `452 4.2.2 <${mail.rcpt_to}>: The mailbox is over its quota`)
    case 'complaint':
      return complaint(mail, input)
    case 'unsubscribe':
      return unsubscribe(mail, input)
  }
}

const crlf = (lines: string[]) => lines.join('\n').replace(/\r?\n/g, '\r\n')
/** A header value from an untrusted mail must not become several headers. */
const oneLine = (text: string) => text.replace(/[\r\n]+/g, ' ').trim()
const addressDomain = (address: string) => address.slice(address.lastIndexOf('@') + 1)

function head(mail: AnsweredMail, { id, at }: AnswerInput, from: string, subject: string): string[] {
  return [
    `From: ${from}`,
    `To: <${oneLine(mail.from_address)}>`,
    `Subject: ${encoded(subject)}`,
    `Date: ${at.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <answer-${id}@${addressDomain(oneLine(mail.rcpt_to))}>`,
    'MIME-Version: 1.0',
  ]
}

/** Encodes a non-ASCII subject by RFC 2047, in encoded words that stay below its length limit. */
function encoded(subject: string): string {
  const text = oneLine(subject)
  if (/^[\x20-\x7e]*$/.test(text)) return text
  const words = text.match(/.{1,15}/gsu) ?? []
  const base64 = (word: string) => btoa(String.fromCharCode(...new TextEncoder().encode(word)))
  return words.map((word) => `=?utf-8?b?${base64(word)}?=`).join('\n ')
}

const threaded = ({ message_id }: AnsweredMail) => [
  `In-Reply-To: ${oneLine(message_id)}`,
  `References: ${oneLine(message_id)}`,
]
const TEXT = ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: 8bit', '']
const quoted = (text: string) => text.slice(0, 4_000).replace(/^/gm, '> ')
const answered = (subject: string) => (/^re:/i.test(subject) ? subject : `Re: ${subject}`)

function reply(mail: AnsweredMail, input: AnswerInput): SandboxMail {
  const body = [
    input.text ?? 'Thank you, that sounds interesting. Call me on Thursday.',
    '',
    `On ${input.at.toUTCString()}, <${mail.from_address}> wrote:`,
    quoted(mail.text),
  ]
  const headers = [
    ...head(mail, input, `<${oneLine(mail.rcpt_to)}>`, answered(mail.subject)),
    ...threaded(mail),
  ]
  return { envelope_from: mail.rcpt_to, raw: crlf([...headers, ...TEXT, ...body]) }
}

function outOfOffice(mail: AnsweredMail, input: AnswerInput): SandboxMail {
  const until = input.until ? ` until ${input.until}` : ''
  const headers = [
    ...head(mail, input, `<${oneLine(mail.rcpt_to)}>`, `Automatic reply: ${mail.subject}`),
    ...threaded(mail),
    'Auto-Submitted: auto-replied',
    'X-Auto-Response-Suppress: All',
    'Precedence: bulk',
  ]
  const text = input.text ?? `I am out of the office${until} and will answer when I am back.`
  return { envelope_from: '', raw: crlf([...headers, ...TEXT, text]) }
}

/** RFC 2369: the mail that List-Unsubscribe's mailto asks for, sent by the person's own program. */
function unsubscribe(mail: AnsweredMail, input: AnswerInput): SandboxMail {
  const link = /<mailto:[^<>?]*\?subject=([^<>&]+)>/i.exec(mail.head.replace(/\r?\n[ \t]+/g, ''))?.[1]
  const subject = link ? unescaped(link) : answered(mail.subject)
  const headers = head(mail, input, `<${oneLine(mail.rcpt_to)}>`, subject)
  return {
    envelope_from: mail.rcpt_to,
    raw: crlf([...headers, ...(link ? [] : threaded(mail)), ...TEXT, 'unsubscribe']),
  }
}

/** An untrusted link may contain anything. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function bounce(mail: AnsweredMail, input: AnswerInput, status: string, said: string): SandboxMail {
  const mx = `mx.${addressDomain(oneLine(mail.rcpt_to))}`
  const parts = [
    'Content-Type: text/plain; charset=us-ascii',
    '',
    `This is the mail system at host ${mx}.`,
    '',
    "I'm sorry to have to inform you that your message could not",
    "be delivered to one or more recipients. It's attached below.",
    '',
    `<${mail.rcpt_to}>: host ${mx} said: ${said}`,
    '',
    '--report',
    'Content-Type: message/delivery-status',
    '',
    `Reporting-MTA: dns; ${mx}`,
    '',
    `Final-Recipient: rfc822; ${mail.rcpt_to}`,
    'Action: failed',
    `Status: ${status}`,
    `Diagnostic-Code: smtp; ${said}`,
    '',
    '--report',
    'Content-Type: text/rfc822-headers',
    '',
    mail.head,
  ]
  const from = `Mail Delivery System <MAILER-DAEMON@${mx}>`
  return report(mail, input, {
    from,
    subject: 'Undelivered Mail Returned to Sender',
    type: 'delivery-status',
    parts,
  })
}

function complaint(mail: AnsweredMail, input: AnswerInput): SandboxMail {
  const parts = [
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'This is an email abuse report for a message that its recipient marked as spam.',
    '',
    '--report',
    'Content-Type: message/feedback-report',
    '',
    'Feedback-Type: abuse',
    'User-Agent: Opener-Sandbox/1.0',
    'Version: 1',
    `Original-Mail-From: <${mail.from_address}>`,
    `Arrival-Date: ${input.at.toUTCString()}`,
    '',
    '--report',
    'Content-Type: message/rfc822',
    '',
    mail.head,
    '',
    mail.text.slice(0, 4_000),
  ]
  const from = `Feedback loop <fbl@${addressDomain(oneLine(mail.rcpt_to))}>`
  return report(mail, input, { from, subject: `FW: ${mail.subject}`, type: 'feedback-report', parts })
}

function report(
  mail: AnsweredMail,
  input: AnswerInput,
  { from, subject, type, parts }: { from: string; subject: string; type: string; parts: string[] },
): SandboxMail {
  const headers = [
    ...head(mail, input, from, subject),
    'Auto-Submitted: auto-generated',
    `Content-Type: multipart/report; report-type=${type}; boundary="report"`,
    '',
    '--report',
  ]
  return { envelope_from: '', raw: crlf([...headers, ...parts, '', '--report--', '']) }
}
