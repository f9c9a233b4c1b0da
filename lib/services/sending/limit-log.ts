import type { PoolClient } from 'pg'
import { jsonText } from '#lib/db/json-text'
import { loadZone } from '#lib/domain/calendar/zoned-time'
import type { Plan } from '#lib/domain/sending/dispatch-policy'
import { reachedLimits } from '#lib/domain/sending/reached-limits'
import type { Sender } from '#lib/domain/sending/sender-limits'
import type { Claimed } from '#lib/services/sending/compose-social'
import type { DueCampaign } from '#lib/services/sending/load'

/**
 * Tells webhooks of the daily limits that a claim used up, each once a day however often it is reached again. A claim that
 * reaches none asks the database nothing.
 */
export async function tellReachedLimits(
  client: PoolClient,
  campaign: DueCampaign,
  senders: readonly Sender[],
  { plan, actions }: { plan: Plan; actions: Claimed[] },
  now: Date,
): Promise<void> {
  const taken = actions.map(({ sender_id, step }) => ({
    sender_id,
    action_type: campaign.steps_config[step - 1]?.action_type ?? 'email',
  }))
  const own = { daily_limit: campaign.daily_limit, pace: plan.pace }
  const clock = { zone: loadZone(campaign.owner_timezone), now: now.getTime() }
  const reached = reachedLimits(own, senders, taken, clock)
  if (reached.length === 0) return
  const rows = reached.map(({ of, sender_id, action_type, limit, day }) => {
    const isMail = senders.some((one) => one.sender_id === sender_id && one.channel === 'email')
    return jsonText({
      of: of === 'campaign' ? 'campaign' : isMail ? 'mailbox' : 'account',
      campaign_id: of === 'campaign' ? campaign.campaign_id : null,
      mailbox_id: isMail ? sender_id : null,
      account_id: of === 'sender' && !isMail ? sender_id : null,
      action_type,
      limit,
      day,
      timezone: of === 'campaign' ? campaign.timezone : campaign.owner_timezone,
    })
  })
  await client.query(
    `INSERT INTO webhook_events (user_id, type, at, data)
     SELECT $1, 'limit.reached', $2, d || jsonb_build_object('name', coalesce(
       (SELECT name FROM campaigns WHERE campaign_id = (d ->> 'campaign_id')::uuid),
       (SELECT address FROM mailboxes WHERE mailbox_id = (d ->> 'mailbox_id')::uuid),
       (SELECT name FROM connected_accounts WHERE account_id = (d ->> 'account_id')::uuid)))
     FROM unnest($3::jsonb[]) d WHERE webhook_asks($1, 'limit.reached')
     ON CONFLICT DO NOTHING`,
    [campaign.user_id, now, rows],
  )
}
