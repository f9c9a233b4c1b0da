import { pool } from '#lib/db/client'
import type { InboundMailbox } from '#lib/services/inbox/arrived-mail'
import { handleInbound } from '#lib/services/inbox/handle-mail'
import { bytes } from '#tests/support/scenes/inbound-mail'

let uid = 0

/** A mail arrives in a mailbox's INBOX and is ingested at once. */
export function arrive(
  mailbox: InboundMailbox,
  raw: string,
  at: Date,
  fields: { uid?: number; uid_validity?: bigint } = {},
) {
  uid += 1
  const content = bytes(raw)
  const arrived = {
    folder: 'INBOX',
    uid_validity: fields.uid_validity ?? 1n,
    uid: fields.uid ?? uid,
    raw: content,
    size_bytes: content.length,
    received_at: at,
  }
  return handleInbound(pool(), mailbox, arrived, at)
}

type Answered = { message_id: string; to: { address: string }; from: { address: string }; subject: string }

let made = 0
const ids = () => `Message-ID: <answer-${++made}@lead.test>`

export const replyTo = (mail: Answered, text = 'Yes, call me.', headers = '') =>
  `From: <${mail.to.address}>\nTo: <${mail.from.address}>\nSubject: Re: ${mail.subject}\nIn-Reply-To: ${mail.message_id}\n${ids()}\n${headers ? `${headers}\n` : ''}\n${text}\n`

export const awayNotice = (mail: Answered, text: string, at: Date) =>
  replyTo(mail, text, `Auto-Submitted: auto-replied\nDate: ${at.toUTCString()}`)

export const bounceOf = (
  mail: Answered,
  status: string,
  diagnostic = 'smtp; 550 said no',
  action = 'failed',
) =>
  `Return-Path: <>\nFrom: MAILER-DAEMON@mx.test\nTo: <${mail.from.address}>\nSubject: Undelivered Mail Returned to Sender\n${ids()}\nMIME-Version: 1.0\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\nContent-Type: text/plain\n\nSorry.\n\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.test\n\nFinal-Recipient: rfc822; ${mail.to.address}\nAction: ${action}\nStatus: ${status}\nDiagnostic-Code: ${diagnostic}\n\n--b\nContent-Type: text/rfc822-headers\n\nMessage-ID: ${mail.message_id}\n\n--b--\n`

export const complaintOf = (mail: Answered) =>
  `From: <fbl@isp.test>\nTo: <${mail.from.address}>\nSubject: complaint\n${ids()}\nMIME-Version: 1.0\nContent-Type: multipart/report; report-type=feedback-report; boundary=b\n\n--b\nContent-Type: text/plain\n\nAbuse.\n\n--b\nContent-Type: message/feedback-report\n\nFeedback-Type: abuse\nVersion: 1\n\n--b\nContent-Type: message/rfc822\n\nMessage-ID: ${mail.message_id}\nSubject: x\n\nx\n--b--\n`
