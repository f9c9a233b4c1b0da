import type { Pool } from 'pg'
import { pool } from '#lib/db/client'
import { keyFor, withEachKey } from '#lib/db/seal'
import { readSignedToken, signedToken, uuidBytes, uuidText } from '#lib/domain/tokens/signed-token'
import { env } from '#lib/env'
import type { MailApi } from '#lib/providers/mail/port'
import { createGmailWatcher } from '#lib/providers/mail-api/gmail/watch'
import { createGraphWatcher } from '#lib/providers/mail-api/graph/subscription'
import type { MailWatcher } from '#lib/providers/mail-api/watching'
import { accessToken, type Vendors } from '#lib/services/senders/grants/access-token'
import { mailApiOptions } from '#lib/services/senders/grants/vendors'

/** Well before either vendor's subscription expires: Google recommends daily renewal, and Graph's last three days. */
const RENEW_MS = 24 * 60 * 60_000
const FIRST_REST_MS = 60 * 60_000

export type Watchers = Partial<Record<MailApi, MailWatcher>>

/** The URL for a vendor's notifications of new mail; it must be reachable from outside. */
export const pushAddress = (vendor: 'google' | 'microsoft'): string =>
  new URL(`/api/mail/${vendor}`, env().APP_URL).href

const isReachable = () => env().APP_URL.startsWith('https://')

/** The topic and signing account of Google's notifications; null if this instance receives none. */
export function googlePush(): { topic: string; account: string } | null {
  const { MAIL_GOOGLE_TOPIC: topic, MAIL_GOOGLE_PUSH_ACCOUNT: account } = env()
  return topic && account && isReachable() ? { topic, account } : null
}

export const hasMicrosoftPush = (): boolean => env().MAIL_MICROSOFT_PUSH && isReachable()

/** The vendors that are configured to send notifications. */
export function mailWatchers(): Watchers {
  const topic = googlePush()?.topic
  const notify_url = pushAddress('microsoft')
  return {
    ...(topic && { gmail: createGmailWatcher({ ...mailApiOptions('gmail'), topic }) }),
    ...(hasMicrosoftPush() && { graph: createGraphWatcher({ ...mailApiOptions('graph'), notify_url }) }),
  }
}

const [VERSION, PURPOSE] = ['gn', 'graph-notices']

/** The secret that Graph includes in every notification about a mailbox; only this instance can compute it. */
export const graphSecret = (mailboxId: string): string =>
  signedToken(VERSION, uuidBytes(mailboxId) ?? Buffer.alloc(0), keyFor(PURPOSE))

/** The mailbox of such a secret; null for a secret that this instance did not issue. */
export function readGraphSecret(secret: string): string | null {
  const payload = withEachKey(PURPOSE, (key) => readSignedToken(VERSION, secret, key))
  return payload?.length === 16 ? uuidText(payload) : null
}

type Options = { pool: Pool; now: Date; vendors?: Vendors | undefined; watchers?: Watchers | undefined }
type Row = { subscription_id: string | null; renew_at: Date | null; tries: number | null }
type Mailbox = { mailbox_id: string; workspace_id: string; address: string }

/** Called after a mailbox was read: subscribes to notifications of new mail, if the mailbox uses an API that is configured for them. */
export async function keepWatch(
  { pool: from, now, vendors, watchers = mailWatchers() }: Options,
  { mailbox_id, workspace_id, address }: Mailbox,
): Promise<void> {
  if (!watchers.gmail && !watchers.graph) return
  const { rows } = await from.query<Row>(
    `SELECT w.subscription_id, w.renew_at, w.tries FROM mailbox_grants g LEFT JOIN mailbox_watches w USING (mailbox_id)
     WHERE g.workspace_id = $1 AND g.mailbox_id = $2 AND g.route = 'api'`,
    [workspace_id, mailbox_id],
  )
  const [known] = rows
  if (!known || (known.renew_at && known.renew_at > now)) return
  const token = await accessToken(mailbox_id, { pool: from, now, vendors })
  const watcher = token.ok && token.api && watchers[token.api]
  if (!watcher) return
  const { subscription_id } = known
  const outcome = await watcher.keep(token, { subscription_id, secret: graphSecret(mailbox_id) })
  const tries = outcome.ok ? 0 : (known.tries ?? 0) + 1
  const rest = outcome.ok ? RENEW_MS : Math.min(FIRST_REST_MS * 2 ** (tries - 1), RENEW_MS)
  await from.query(
    `INSERT INTO mailbox_watches AS w (mailbox_id, workspace_id, address, subscription_id, expires_at, renew_at, tries, said)
     SELECT mailbox_id, workspace_id, $3, $4, $5, $6, $7, $8 FROM mailboxes WHERE workspace_id = $1 AND mailbox_id = $2
     ON CONFLICT (mailbox_id) DO UPDATE SET address = excluded.address, renew_at = excluded.renew_at, tries = excluded.tries,
       said = excluded.said, subscription_id = coalesce(excluded.subscription_id, w.subscription_id),
       expires_at = coalesce(excluded.expires_at, w.expires_at)`,
    [
      workspace_id,
      mailbox_id,
      address.toLowerCase(),
      outcome.ok ? outcome.subscription_id : null,
      outcome.ok ? outcome.expires_at : null,
      new Date(now.getTime() + rest),
      tries,
      outcome.ok ? null : outcome.error.slice(0, 1_000),
    ],
  )
}

/** Prepares a function that ends the notifications. Call it once the mailbox is deleted and before its access is revoked. */
export async function prepareWatchEnd(
  workspaceId: string,
  mailboxId: string,
  { watchers = mailWatchers(), vendors }: Pick<Options, 'watchers' | 'vendors'> = {},
): Promise<() => Promise<void>> {
  const { rows } = await pool().query<{ subscription_id: string | null }>(
    'SELECT subscription_id FROM mailbox_watches WHERE workspace_id = $1 AND mailbox_id = $2 AND expires_at IS NOT NULL',
    [workspaceId, mailboxId],
  )
  const [row] = rows
  const token = row && (await accessToken(mailboxId, { pool: pool(), now: new Date(), vendors }))
  const watcher = token?.ok && token.api && watchers[token.api]
  if (!row || !watcher) return async () => undefined
  return () => watcher.end(token, row.subscription_id)
}
