import type { PoolClient } from 'pg'
import type { z } from 'zod'
import { NotificationMessage, type NotificationPreferences } from '#lib/contracts/telling/notifications'
import { db, pool } from '#lib/db/client'
import type { NotificationMessageModel } from '#lib/db/generated/models'
import { inTransaction } from '#lib/db/transaction'
import type { Digest } from '#lib/domain/telling/notification-digest'
import type { Maker } from '#lib/domain/workspaces/maker'
import { AppError } from '#lib/errors'
import { type Channels, channels } from '#lib/services/telling/notification-channels'
import { readPreferences } from '#lib/services/telling/notification-preferences'

/** The stored preferences, null for unset, with the address of the account. */
export type Preferences = Omit<NotificationPreferences, 'personal_email' | 'messaging_number'> & {
  personal_email: string | null
  messaging_number: string | null
  email: string
  last_digest_at: Date | null
}

const Kind = NotificationMessage.shape.kind
/** `period` is the week or month of the message; nobody is queued two messages for one period. */
export type Draft = Digest & { kind: z.output<typeof Kind>; period?: string }

type Recipient = { channel: 'email' | 'messaging'; recipient: string }

/** The recipients for this owner: the channels that are switched on and that this instance has. */
export function listRecipients(
  preferences: Omit<Preferences, 'last_digest_at'>,
  { email, messaging }: Channels,
): Recipient[] {
  const { email_enabled, messaging_enabled, messaging_number, personal_email } = preferences
  return [
    ...(email_enabled && email
      ? [{ channel: 'email' as const, recipient: personal_email ?? preferences.email }]
      : []),
    ...(messaging_enabled && messaging && messaging_number
      ? [{ channel: 'messaging' as const, recipient: messaging_number }]
      : []),
  ]
}

/** A message as responses show it. */
export const shownMessage = ({ kind, ...row }: NotificationMessageModel) => ({
  ...row,
  kind: Kind.parse(kind),
})

/** Inserts one row of the ledger per channel; another worker sends it. */
export async function queueMessages(
  client: PoolClient,
  { workspace_id, user_id }: Maker,
  recipients: Recipient[],
  { kind, subject, text, period }: Draft,
  now: Date,
): Promise<NotificationMessageModel[]> {
  const { rows } = await client.query<NotificationMessageModel>(
    `INSERT INTO notification_messages (workspace_id, user_id, channel, recipient, kind, subject, text, next_attempt_at, created_at, period)
     SELECT $1, $8, r.channel::"NotificationChannel", r.recipient, $4, $5, $6, $7, $7, $9
     FROM unnest($2::text[], $3::text[]) r (channel, recipient) ON CONFLICT DO NOTHING RETURNING *`,
    [
      workspace_id,
      recipients.map(({ channel }) => channel),
      recipients.map(({ recipient }) => recipient),
      kind,
      subject,
      text,
      now,
      user_id,
      period ?? null,
    ],
  )
  return rows
}

const TEST: Draft = {
  kind: 'test',
  subject: 'A test from Opener',
  text: 'Opener notifies you here of replies, bounces, complaints and stopped campaigns.\n',
}
/** Keeps a button pressed repeatedly from sending many mails. */
const TESTS_AN_HOUR = 10

/** Queues a test message at once on every channel that is switched on. */
export async function sendTest({ workspace_id, user_id }: Maker, now: Date) {
  const [{ email }, preferences] = await Promise.all([
    db.user.findUniqueOrThrow({ where: { user_id }, select: { email: true } }),
    readPreferences({ workspace_id, user_id }),
  ])
  const recipients = listRecipients({ ...preferences, email }, channels())
  if (recipients.length === 0)
    throw new AppError('invalid_state', { message: 'No available channel is turned on.' })
  const messages = await inTransaction(pool(), async (client) => {
    // Serializes concurrent tests, so that each counts the other.
    await client.query('SELECT 1 FROM users WHERE user_id = $1 FOR NO KEY UPDATE', [user_id])
    const { rows } = await client.query(
      `SELECT 1 FROM notification_messages WHERE user_id = $1 AND kind = 'test' AND created_at > $2 LIMIT $3`,
      [user_id, new Date(now.getTime() - 3_600_000), TESTS_AN_HOUR],
    )
    if (rows.length >= TESTS_AN_HOUR)
      throw new AppError('rate_limited', { message: 'Too many tests for now. Try again in an hour.' })
    return queueMessages(client, { workspace_id, user_id }, recipients, TEST, now)
  })
  return { messages: messages.map(shownMessage) }
}
