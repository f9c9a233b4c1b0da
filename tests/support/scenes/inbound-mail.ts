import { classify, type Match, readInbound } from '#lib/domain/inbox/classify'
import { parseInbound } from '#lib/domain/inbox/inbound-mail'
import { readActionId } from '#lib/domain/messages/mail-message'

export const ACTION = '01963f3e-7c1a-7abc-8def-0123456789ab'
export const OUR_ID = `<${ACTION}@sender.test>`
export const US = 'dana@sender.test'
export const LEAD = 'ada@lead.test'
/** Monday, the day on which all mail of the corpus is received. */
export const RECEIVED = Date.parse('2026-03-02T10:00:00.000Z')

export const bytes = (text: string) => new TextEncoder().encode(text.replace(/\r?\n/g, '\r\n'))

/** A mail of headers (one per line) over a default From, To, Date and Message-ID, and a text. */
export function eml(headers: string, text = 'Hello.') {
  const has = (name: string) => new RegExp(`^${name}:`, 'im').test(headers)
  const all = [
    has('From') ? '' : `From: Ada Lovelace <${LEAD}>`,
    has('To') ? '' : `To: <${US}>`,
    has('Date') ? '' : 'Date: Mon, 02 Mar 2026 10:00:00 +0000',
    has('Message-ID') ? '' : 'Message-ID: <m1@lead.test>',
    has('Subject') ? '' : 'Subject: Re: Quick question',
    headers.trim().replace(/\n{2,}/g, '\n'),
  ].filter(Boolean)
  return `${all.join('\n')}\n\n${text}\n`
}

export const RETURNED = `Received: from mail.sender.test (mail.sender.test [192.0.2.10]) by mx.lead.test
From: Dana <${US}>
To: Ada <${LEAD}>
Subject: Quick question
Message-ID: ${OUR_ID}
Date: Mon, 02 Mar 2026 09:00:00 +0000`

type Dsn = {
  from: string
  subject: string
  text: string
  /** The fields of the delivery status, verbatim. */
  report: string
  returned?: string | null
  returned_type?: string
  headers?: string
  status_type?: string
}

/** A multipart/report as RFC 3464 describes it. */
export function dsn({ from, subject, text, report, returned = RETURNED, ...more }: Dsn) {
  const parts = [
    `Content-Type: text/plain; charset=us-ascii\n\n${text}`,
    `Content-Type: ${more.status_type ?? 'message/delivery-status'}\n\n${report.trim()}`,
    ...(returned === null
      ? []
      : [`Content-Type: ${more.returned_type ?? 'text/rfc822-headers'}\n\n${returned.trim()}`]),
  ]
  const type = 'Content-Type: multipart/report; report-type=delivery-status; boundary="b1"'
  return eml(
    `Return-Path: <>\nFrom: ${from}\nSubject: ${subject}\nMIME-Version: 1.0\nAuto-Submitted: auto-replied\n${more.headers ?? ''}\n${type}`,
    `${parts.map((part) => `--b1\n${part}\n`).join('\n')}\n--b1--`,
  )
}

/** Parses a mail and classifies it as if the ledger held one message, `OUR_ID` to `LEAD`. */
export async function judge(raw: string | Uint8Array, own: readonly string[] = [US]) {
  const mail = await parseInbound(typeof raw === 'string' ? bytes(raw) : raw)
  const reading = readInbound(mail, RECEIVED)
  const match = matchOf(mail.from?.address ?? '', reading)
  const wrote_it = mail.message_id !== null && readActionId(mail.message_id) === ACTION
  const judged = classify(mail, reading, match, { mailbox: US, all: own, wrote_it })
  return { mail, reading, match, ...judged }
}

function matchOf(from: string, reading: ReturnType<typeof readInbound>): Match | null {
  if (reading.about.some((id) => readActionId(id) === ACTION))
    return { how: 'message_id', found: OUR_ID, email: LEAD }
  if (reading.unsubscribe?.by === 'token') return { how: 'unsubscribe_token', found: 'u1', email: LEAD }
  if (reading.recipients.includes(LEAD)) return { how: 'recipient', found: LEAD, email: LEAD }
  return from === LEAD && !['bounce', 'complaint'].includes(reading.form)
    ? { how: 'sender_address', found: from, email: LEAD }
    : null
}
