import type { PoolClient } from 'pg'
import type { Recorded } from '#lib/services/senders/recorded-action'

/**
 * Writes what social actions changed, in the transaction of their outcomes: their ids at the network, the account's relation to the
 * person, profiles that lead to nobody, and accounts that their network throttled.
 */
export async function writeSocialResults(client: PoolClient, written: Recorded[], now: Date): Promise<void> {
  const social = written.filter(({ action }) => action.channel === 'social')
  if (social.length === 0) return
  // Accounts before people, the order in which chat messages lock them.
  await restAccounts(client, social, now)
  await writeIds(client, social)
  await writeRelations(client, social, now)
  await writeUnreachable(client, social)
}

async function writeIds(client: PoolClient, social: Recorded[]): Promise<void> {
  const left = social.flatMap(({ action, outcome }) =>
    outcome.social ? [{ action, ...outcome.social }] : [],
  )
  if (left.length === 0) return
  await client.query(
    `UPDATE actions a SET social_provider_id = w.provider_id, chat_id = w.chat_id, message_id = w.message_id,
       invitation_id = w.invitation_id
     FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[])
       w (action_id, provider_id, chat_id, message_id, invitation_id)
     WHERE a.action_id = w.action_id`,
    [
      left.map(({ action }) => action.action_id),
      left.map((each) => each.provider_id),
      left.map((each) => each.chat_id),
      left.map((each) => each.message_id),
      left.map((each) => each.invitation_id),
    ],
  )
}

/** Never overwrites an invitation that was accepted meanwhile. */
async function writeRelations(client: PoolClient, social: Recorded[], now: Date): Promise<void> {
  const left = social.flatMap(({ action, outcome }) =>
    outcome.social ? [{ action, ...outcome.social }] : [],
  )
  if (left.length === 0) return
  await client.query(
    // Campaigns share accounts, so people are locked in one order.
    `WITH w AS (
       SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[])
         w (account_id, provider_id, action_type, chat_id, invitation_id)
     ), locked AS (
       SELECT w.* FROM social_people p JOIN w USING (account_id, provider_id)
       ORDER BY 1, 2 FOR NO KEY UPDATE OF p
     )
     UPDATE social_people p SET
       relation = CASE w.action_type
         WHEN 'connection_request' THEN CASE WHEN p.relation = 'connected' THEN 'connected' ELSE 'invited' END
         WHEN 'withdraw_invitation' THEN CASE WHEN p.relation = 'invited' THEN 'none' ELSE p.relation END
         ELSE p.relation END,
       invitation_id = CASE w.action_type WHEN 'connection_request' THEN w.invitation_id
         WHEN 'withdraw_invitation' THEN NULL ELSE p.invitation_id END,
       invited_at = CASE WHEN w.action_type = 'connection_request' THEN $6 ELSE p.invited_at END,
       chat_id = coalesce(w.chat_id, p.chat_id)
     FROM locked w
     WHERE p.account_id = w.account_id AND p.provider_id = w.provider_id`,
    [
      left.map(({ action }) => action.sender_id),
      left.map((each) => each.provider_id),
      left.map(({ action }) => action.action_type),
      left.map((each) => each.chat_id),
      left.map((each) => each.invitation_id),
      now,
    ],
  )
}

async function writeUnreachable(client: PoolClient, social: Recorded[]): Promise<void> {
  const nobody = social.filter(({ outcome }) => outcome.unreachable)
  if (nobody.length === 0) return
  await client.query(
    `UPDATE campaign_leads l SET social_problem = w.reason
     FROM unnest($1::uuid[], $2::text[]) w (campaign_lead_id, reason) WHERE l.campaign_lead_id = w.campaign_lead_id`,
    [
      nobody.map(({ action }) => action.campaign_lead_id),
      nobody.map(({ outcome }) => outcome.response.slice(0, 500)),
    ],
  )
}

/** A network limit applies to the whole account, so its other leads do not have to hit it one by one. */
async function restAccounts(client: PoolClient, social: Recorded[], now: Date): Promise<void> {
  const rests = new Map<string, number>()
  for (const { action, outcome } of social)
    if (outcome.outcome === 'refused_for_now' && outcome.blames === 'sender' && outcome.retry_after_ms)
      rests.set(action.sender_id, Math.max(rests.get(action.sender_id) ?? 0, outcome.retry_after_ms))
  for (const [accountId, ms] of [...rests].sort(([a], [b]) => (a < b ? -1 : 1)))
    await client.query(
      'UPDATE connected_accounts SET rest_until = greatest(rest_until, $2) WHERE account_id = $1',
      [accountId, new Date(now.getTime() + ms)],
    )
}
