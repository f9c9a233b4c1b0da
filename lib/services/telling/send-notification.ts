import type { Pool } from 'pg'
import type { NotificationMessageModel } from '#lib/db/generated/models'
import { notificationHtml } from '#lib/domain/telling/notification-html'
import { env } from '#lib/env'
import type { MailOutcome, OutgoingMail } from '#lib/providers/mail/port'
import type { MessagingOutcome } from '#lib/providers/messaging/port'
import { stopUrl } from '#lib/services/telling/analytics-emails'
import {
  loadMailSender,
  type MailSender,
  type NoticeMailbox,
  offerFromMailbox,
} from '#lib/services/telling/mail-sender'
import type { Channels } from '#lib/services/telling/notification-channels'

const MINUTE_MS = 60_000
/** Longer than the longest SMTP offer; a worker that has not reported by then is considered dead. */
const LEASE_MS = 10 * MINUTE_MS
const LANES = 4
/** Delays after a temporary refusal, and when nothing left. */
const RETRY_MINUTES = [1, 5, 15, 60, 240]

export type SendOptions = {
  pool: Pool
  channels: Channels
  clock: () => Date
  until: Date
  stopping?: () => boolean
  /** Absent: everything is sent from the instance's sender. */
  mailbox?: NoticeMailbox
}

/**
 * Sends queued messages. Each is marked as under way before it is offered, so a message whose worker died becomes `uncertain` and is not
 * offered again: a duplicate is worse than a missing message. Returns how many were offered.
 */
export async function sendMessages(options: SendOptions): Promise<number> {
  const { pool, clock } = options
  await pool.query(
    `UPDATE notification_messages SET status = 'uncertain', lease_until = NULL,
       response = 'It was under way when its worker ended; it may have left.'
     WHERE status = 'sending' AND lease_until < $1`,
    [clock()],
  )
  await withdrawForFormerMembers(pool, clock())
  let offered = 0
  const lane = async () => {
    while (clock() < options.until && !options.stopping?.()) {
      const message = await claim(options)
      if (!message) return
      offered += 1
      const outcome = await offer(options, message)
      await record(pool, message, outcome, clock())
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return offered
}

/** A queued message contains data of a workspace that its reader may have left since. */
async function withdrawForFormerMembers(pool: Pool, now: Date): Promise<void> {
  await pool.query(
    `UPDATE notification_messages n SET status = 'failed', next_attempt_at = NULL,
       response = 'It was not sent: whom it was for has left the workspace.'
     WHERE n.status = 'queued' AND n.next_attempt_at <= $1 AND NOT EXISTS (SELECT 1 FROM members m
       WHERE m.workspace_id = n.workspace_id AND m.user_id = n.user_id AND (m.role <> 'client' OR n.kind <> 'digest'))`,
    [now],
  )
}

async function claim({ pool, channels, clock }: SendOptions): Promise<NotificationMessageModel | null> {
  const now = clock()
  const ways = [...(channels.email ? ['email'] : []), ...(channels.messaging ? ['messaging'] : [])]
  const { rows } = await pool.query<NotificationMessageModel>(
    `UPDATE notification_messages SET status = 'sending', attempts = attempts + 1, lease_until = $2
     WHERE notification_message_id = (
       SELECT notification_message_id FROM notification_messages
       WHERE status = 'queued' AND next_attempt_at <= $1 AND channel::text = ANY ($3)
       ORDER BY next_attempt_at, created_at LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING *`,
    [now, new Date(now.getTime() + LEASE_MS), ways],
  )
  return rows[0] ?? null
}

async function offer(
  { pool, channels, clock, mailbox }: SendOptions,
  message: NotificationMessageModel,
): Promise<MessagingOutcome> {
  const { notification_message_id: id, recipient, text } = message
  if (message.channel === 'messaging' && channels.messaging)
    return channels.messaging.provider.send({ id, to: recipient, text: `${message.subject}\n\n${text}` })
  if (!channels.email) return { outcome: 'never_left', response: 'This instance has no such channel.' }
  const now = clock()
  const write = (sender: MailSender) => withUnsubscribeLink(message, toMail(message, sender, now))
  const own = await offerFromMailbox(pool, message.workspace_id, mailbox, write, now)
  if (own) return toOutcome(own)
  const { provider, connection, from } = channels.email
  const sender = await loadMailSender(pool, message.workspace_id, from)
  return toOutcome(await provider.send(connection, write(sender)))
}

/** The id and headers mark it as a notice: not campaign mail, and not to be answered by programs (RFC 3834). */
export function toMail(
  {
    notification_message_id,
    recipient,
    subject,
    text,
  }: Pick<NotificationMessageModel, 'notification_message_id' | 'recipient' | 'subject' | 'text'>,
  { from, reply_to }: MailSender,
  date: Date,
): OutgoingMail {
  return {
    from,
    to: { name: null, address: recipient },
    reply_to,
    subject,
    date,
    message_id: `<notification.${notification_message_id}@${from.address.split('@').at(-1)}>`,
    in_reply_to: null,
    references: [],
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    text,
    html: notificationHtml(text, env().APP_URL),
  }
}

/** Recurring mail can be unsubscribed from in the mail program with one click (RFC 8058). */
function withUnsubscribeLink(message: NotificationMessageModel, mail: OutgoingMail): OutgoingMail {
  if (message.kind !== 'analytics') return mail
  const headers = {
    ...mail.headers,
    'List-Unsubscribe': `<${stopUrl(message)}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
  return { ...mail, headers }
}

function toOutcome(mail: MailOutcome): MessagingOutcome {
  if (mail.outcome === 'never_left' || mail.outcome === 'unknown')
    return { outcome: mail.outcome, response: mail.error }
  return { outcome: mail.outcome, response: mail.response }
}

async function record(
  pool: Pool,
  { notification_message_id, attempts }: NotificationMessageModel,
  { outcome, response }: MessagingOutcome,
  now: Date,
): Promise<void> {
  const isOpen = outcome === 'refused_for_now' || outcome === 'never_left'
  const minutes = isOpen ? RETRY_MINUTES[attempts - 1] : undefined
  const status =
    outcome === 'accepted'
      ? 'sent'
      : outcome === 'unknown'
        ? 'uncertain'
        : minutes === undefined
          ? 'failed'
          : 'queued'
  await pool.query(
    `UPDATE notification_messages SET status = $2::"NotificationMessageStatus", response = $3, sent_at = $4,
       next_attempt_at = $5, lease_until = NULL
     WHERE notification_message_id = $1 AND status IN ('sending', 'uncertain')`,
    [
      notification_message_id,
      status,
      response.slice(0, 1_000),
      status === 'sent' ? now : null,
      status === 'queued' && minutes !== undefined ? new Date(now.getTime() + minutes * MINUTE_MS) : null,
    ],
  )
}
