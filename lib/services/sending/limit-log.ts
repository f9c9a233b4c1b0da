import type { PoolClient } from 'pg'
import { loadZone } from '#lib/domain/calendar/zoned-time'
import type { Plan } from '#lib/domain/sending/dispatch-policy'
import { reachedLimits } from '#lib/domain/sending/reached-limits'
import type { Sender } from '#lib/domain/sending/sender-limits'
import type { DueCampaign } from '#lib/services/sending/load'
import type { Claimed } from '#lib/services/sending/social/compose-social'
import { tell } from '#lib/services/telling/tell'

/**
 * Tells webhooks which daily limits a claim used up, each at most once a day. Runs no query for a claim that reaches none.
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
  const names = await loadNames(client, campaign.campaign_id, reached)
  await tell(
    client,
    reached.map(({ of, sender_id, action_type, limit, day }) => {
      const isMail = senders.some((one) => one.sender_id === sender_id && one.channel === 'email')
      const isCampaign = of === 'campaign'
      const data = {
        of: isCampaign ? ('campaign' as const) : isMail ? ('mailbox' as const) : ('account' as const),
        campaign_id: isCampaign ? campaign.campaign_id : null,
        mailbox_id: isMail ? sender_id : null,
        account_id: !isCampaign && !isMail ? sender_id : null,
        name: names.get((isCampaign ? campaign.campaign_id : sender_id) ?? '') ?? null,
        action_type,
        limit,
        day,
        timezone: isCampaign ? campaign.timezone : campaign.owner_timezone,
      }
      return { type: 'limit.reached', workspace_id: campaign.workspace_id, at: now, data }
    }),
  )
}

async function loadNames(
  client: PoolClient,
  campaignId: string,
  reached: { sender_id: string | null }[],
): Promise<Map<string, string>> {
  const { rows } = await client.query<{ id: string; name: string }>(
    `SELECT campaign_id AS id, name FROM campaigns WHERE campaign_id = $1
     UNION ALL SELECT mailbox_id, address FROM mailboxes WHERE mailbox_id = ANY ($2)
     UNION ALL SELECT account_id, name FROM connected_accounts WHERE account_id = ANY ($2)`,
    [campaignId, reached.flatMap(({ sender_id }) => sender_id ?? [])],
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}
