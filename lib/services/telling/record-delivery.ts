import type { Pool, PoolClient } from 'pg'
import { jsonText } from '#lib/db/json-text'
import { inTransaction } from '#lib/db/transaction'
import { isGivenUp, restAfter, retryDelay } from '#lib/domain/telling/webhook-schedule'
import type { HttpAnswer } from '#lib/providers/outbound-http'
import { tell } from '#lib/services/telling/tell'

/** A webhook whose turn it is. */
export type Turn = {
  webhook_id: string
  workspace_id: string
  url: string
  secret: string
  previous_secret: string | null
  previous_secret_until: Date | null
}

export type DueDelivery = {
  delivery_id: string
  tries: number
  next_attempt_at: Date
  event_id: string
  type: string
  at: Date
  data: unknown
}

type Attempted = { started: Date; ended: Date; answer: HttpAnswer; chance: number }

const isSuccess = ({ status }: HttpAnswer) => status !== null && status >= 200 && status < 300

/** Records one attempt on the delivery and on the webhook. `goes_on`: the webhook may be called again at once. */
export async function recordAttempt(
  pool: Pool,
  turn: Turn,
  delivery: DueDelivery,
  attempted: Attempted,
): Promise<{ delivered: boolean; goes_on: boolean }> {
  return inTransaction(pool, async (client) => {
    const stands = await lockWebhook(client, turn)
    await writeDelivery(client, delivery, attempted, stands)
    const goesOn = stands.is_there && (await writeWebhook(client, turn, attempted))
    return { delivered: isSuccess(attempted.answer), goes_on: goesOn && stands.is_same }
  })
}

/** The webhook's current state; its owner may have changed it during the call. */
type Stands = {
  /** It exists, under the address that was called. */
  is_there: boolean
  /** It also has the same secrets, and is enabled. */
  is_same: boolean
}

async function lockWebhook(client: PoolClient, { webhook_id, url, secret }: Turn): Promise<Stands> {
  const { rows } = await client.query<Stands>(
    `SELECT url = $2 AS is_there, url = $2 AND secret = $3 AND enabled AS is_same FROM webhooks
     WHERE webhook_id = $1 FOR NO KEY UPDATE`,
    [webhook_id, url, secret],
  )
  return rows[0] ?? { is_there: false, is_same: false }
}

async function writeDelivery(
  client: PoolClient,
  delivery: DueDelivery,
  { started, ended, answer, chance }: Attempted,
  { is_there }: Stands,
): Promise<void> {
  const error = deliveryError(answer)
  const retryAfter = answer.status === null ? null : answer.retry_after
  const delay = answer.status === 410 ? null : retryDelay(delivery.tries + 1, chance, retryAfter)
  const status = error === null ? 'delivered' : delay === null ? 'failed' : 'pending'
  const attempt = {
    at: started.toISOString(),
    status_code: answer.status,
    response: answer.status === null ? null : answer.response,
    duration_ms: ended.getTime() - started.getTime(),
    error,
  }
  await client.query(
    `UPDATE webhook_deliveries SET last_error = $2,
       attempts = CASE WHEN jsonb_array_length(attempts) >= 30 THEN attempts - 0 ELSE attempts END || $3::jsonb
     WHERE delivery_id = $1`,
    [delivery.delivery_id, error, jsonText([attempt])],
  )
  // The response of an old address says nothing about the current one.
  if (error !== null && !is_there) return
  // A delivery that was requested again meanwhile stays due.
  await client.query(
    `UPDATE webhook_deliveries SET status = $3::"WebhookDeliveryStatus", tries = $4, next_attempt_at = $5, delivered_at = $6
     WHERE delivery_id = $1 AND status = 'pending' AND next_attempt_at = $2`,
    [
      delivery.delivery_id,
      delivery.next_attempt_at,
      status,
      delivery.tries + 1,
      status === 'pending' && delay !== null ? new Date(ended.getTime() + delay) : null,
      status === 'delivered' ? ended : null,
    ],
  )
}

/** Null if the delivery succeeded. A redirect counts as a failure: following it would bypass the address check. */
function deliveryError(answer: HttpAnswer): string | null {
  if (answer.status === null) return answer.error
  if (isSuccess(answer)) return null
  if (answer.status >= 300 && answer.status < 400) return `Redirected (${answer.status}): not followed.`
  return `Answered ${answer.status}.`
}

type Health = { failures: number; failing_since: Date }

async function writeWebhook(
  client: PoolClient,
  { webhook_id, workspace_id, url }: Turn,
  { ended, answer }: Attempted,
): Promise<boolean> {
  if (isSuccess(answer)) {
    await client.query(
      `UPDATE webhooks SET failures = 0, failing_since = NULL, retry_after = NULL
       WHERE webhook_id = $1 AND failing_since IS NOT NULL`,
      [webhook_id],
    )
    return true
  }
  const { rows } = await client.query<Health>(
    `UPDATE webhooks SET failures = failures + 1, failing_since = coalesce(failing_since, $2)
     WHERE webhook_id = $1 AND enabled RETURNING failures, failing_since`,
    [webhook_id, ended],
  )
  const [health] = rows
  if (!health) return false
  const reason = answer.status === 410 ? 'gone' : isGivenUp(health.failing_since, ended) ? 'failing' : null
  if (reason) {
    await disable(client, { webhook_id, workspace_id, url }, reason, ended)
    return false
  }
  // A timeout occupies a lane for its whole duration, so a silent endpoint is paused from the first time on.
  const isSilent = answer.status === null && answer.reason === 'timeout'
  const rest = restAfter(isSilent ? Math.max(health.failures, 3) : health.failures)
  if (rest === 0) return true
  await client.query('UPDATE webhooks SET retry_after = $2 WHERE webhook_id = $1', [
    webhook_id,
    new Date(ended.getTime() + rest),
  ])
  return false
}

/** Disables a webhook and notifies its owner. Pending deliveries stay for when it is enabled again. */
async function disable(
  client: PoolClient,
  { webhook_id, workspace_id, url }: Pick<Turn, 'webhook_id' | 'workspace_id' | 'url'>,
  reason: 'gone' | 'failing',
  now: Date,
): Promise<void> {
  await client.query(
    'UPDATE webhooks SET enabled = false, disabled_reason = $2, disabled_at = $3 WHERE webhook_id = $1',
    [webhook_id, reason, now],
  )
  const data = { webhook_id, address: new URL(url).host, reason }
  await tell(client, [], [{ workspace_id, kind: 'webhook_disabled', data }])
}
