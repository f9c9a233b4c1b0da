import { pool } from '#lib/db/client'
import { env } from '#lib/env'
import { createPushCheck, readPush } from '#lib/providers/mail-api/gmail/push'
import { type GraphNotice, readNotices } from '#lib/providers/mail-api/graph/notices'
import { wakeReading } from '#lib/services/inbox/mailboxes/wake'
import { takeTokens } from '#lib/services/instance/rate-limits'
import { googlePush, pushAddress, readGraphSecret } from '#lib/services/senders/grants/watches'

/**
 * Reads per minute that vendors may trigger, per mailbox and per workspace. Anything beyond that is read on
 * schedule.
 */
const PER_MINUTE = 30
const PER_WORKSPACE = 600

type PushCheck = (authorization: string | null, now: Date) => Promise<boolean>
type Watched = { mailbox_id: string; workspace_id: string }

const kept: { check?: PushCheck } = {}

/** Null if this instance receives no push notifications from Google. */
function pushCheck(): PushCheck | null {
  const push = googlePush()
  if (!push) return null
  kept.check ??= createPushCheck({
    audience: pushAddress('google'),
    account: push.account,
    outbound: { policy: { allow_private_hosts: env().ALLOW_PRIVATE_HOSTS } },
  })
  return kept.check
}

/**
 * Handles a notification of a changed mailbox from Google. False if Google did not send it; the answer does
 * not reveal whether the mailbox exists here.
 */
export async function takeGooglePush(
  authorization: string | null,
  body: string,
  now: Date,
  check = pushCheck(),
): Promise<boolean> {
  if (!(await check?.(authorization, now))) return false
  const address = readPush(body)
  if (!address) return true
  const { rows } = await pool().query<Watched>(
    'SELECT mailbox_id, workspace_id FROM mailbox_watches WHERE address = $1 AND subscription_id IS NULL',
    [address],
  )
  for (const watched of rows) await wake(watched, now)
  return true
}

/**
 * Handles Microsoft Graph notifications of new mail, or of a subscription that ends or lost events. A
 * notification without the secret of its mailbox is dropped without a database query.
 */
export async function takeGraphNotices(body: string, now: Date): Promise<void> {
  const told = new Map<string, GraphNotice>()
  for (const notice of readNotices(body)) {
    const mailboxId = readGraphSecret(notice.clientState)
    // Keep the notification that requires more than a read.
    if (mailboxId && !told.get(mailboxId)?.lifecycleEvent) told.set(mailboxId, notice)
  }
  for (const [mailboxId, notice] of told) await takeNotice(mailboxId, notice, now)
}

async function takeNotice(mailboxId: string, notice: GraphNotice, now: Date): Promise<void> {
  const { subscriptionId, lifecycleEvent } = notice
  const isRemoved = lifecycleEvent === 'subscriptionRemoved'
  // The read that follows extends the subscription or creates a new one.
  const isDue = isRemoved || lifecycleEvent === 'reauthorizationRequired'
  const { rows } = await pool().query<Watched>(
    `UPDATE mailbox_watches SET renew_at = CASE WHEN $3 THEN least(renew_at, $5) ELSE renew_at END,
       subscription_id = CASE WHEN $4 THEN NULL ELSE subscription_id END
     WHERE mailbox_id = $1 AND subscription_id = $2 RETURNING mailbox_id, workspace_id`,
    [mailboxId, subscriptionId, isDue, isRemoved, now],
  )
  for (const watched of rows) await wake(watched, now)
}

async function wake({ mailbox_id, workspace_id }: Watched, now: Date): Promise<void> {
  const left = await takeTokens(
    { bucket: `push:${mailbox_id}`, per_minute: PER_MINUTE },
    { bucket: `push:${workspace_id}`, per_minute: PER_WORKSPACE },
    now,
  )
  if (left >= 0) await wakeReading(mailbox_id)
}
