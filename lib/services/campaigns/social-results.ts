import type { PoolClient } from 'pg'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { InvitedGroup, SkipGroup } from '#lib/domain/analytics/social-analytics'
import { stepAction } from '#lib/domain/campaigns/campaign-type'
import type { Span } from '#lib/services/campaigns/span'

type Counted = { campaign_id: string; steps_config: StepConfig[] }
export const hasSocial = ({ steps_config }: Counted) => steps_config.some((step) => step.channel === 'social')

type Invitations = { people: { invited: number; accepted: number } | null; groups: InvitedGroup[] }

/** Invitations by step and variant, and the number of people invited; null where no step invites. */
export async function countInvitations(
  client: PoolClient,
  campaign: Counted,
  span: Span,
): Promise<Invitations> {
  if (!campaign.steps_config.some((step) => stepAction(step) === 'connection_request'))
    return { people: null, groups: [] }
  const { rows } = await client.query<
    { step: number | null } & Omit<InvitedGroup, 'step'> & { people: number; accepting: number }
  >(
    // Someone who was connected before the invitation was sent did not accept it.
    `SELECT a.step, a.variant_label, count(*)::int AS invited, count(*) FILTER (WHERE ${ACCEPTED})::int AS accepted,
       count(DISTINCT a.campaign_lead_id)::int AS people,
       (count(DISTINCT a.campaign_lead_id) FILTER (WHERE ${ACCEPTED}))::int AS accepting
     FROM actions a JOIN campaign_leads l USING (campaign_lead_id)
     LEFT JOIN social_people p ON p.account_id = a.connected_account_id
       AND p.provider_id = coalesce(a.social_provider_id, l.social_provider_id)
     WHERE a.campaign_id = $1 AND a.action_type = 'connection_request' AND a.status IN ('sent', 'uncertain')
       AND a.performed_at >= $2 AND a.performed_at < $3
     GROUP BY GROUPING SETS ((a.step, a.variant_label), ())`,
    [campaign.campaign_id, span.after, span.before],
  )
  const all = rows.find((row) => row.step === null)
  return {
    people: { invited: all?.people ?? 0, accepted: all?.accepting ?? 0 },
    groups: rows.flatMap(({ step, variant_label, invited, accepted }) =>
      step === null ? [] : [{ step, variant_label, invited, accepted }],
    ),
  }
}

const ACCEPTED = `p.relation = 'connected' AND p.connected_at >= a.performed_at`

/** Why steps were skipped. In campaigns of mail alone only conditions skip steps, and the counts show that already. */
export async function countSkips(client: PoolClient, campaign: Counted, span: Span): Promise<SkipGroup[]> {
  if (!hasSocial(campaign)) return []
  const { rows } = await client.query<SkipGroup>(
    `SELECT step, response AS reason, count(*)::int AS count FROM actions
     WHERE campaign_id = $1 AND status = 'skipped' AND performed_at >= $2 AND performed_at < $3
     GROUP BY step, response`,
    [campaign.campaign_id, span.after, span.before],
  )
  return rows
}

/** Leads that were sent a mail, the base of the bounce rate. Null if every action is a mail. */
export async function countMailed(client: PoolClient, campaign: Counted, span: Span): Promise<number | null> {
  if (!hasSocial(campaign)) return null
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(DISTINCT campaign_lead_id)::int AS count FROM actions
     WHERE campaign_id = $1 AND channel = 'email' AND status IN ('sent', 'uncertain')
       AND performed_at >= $2 AND performed_at < $3`,
    [campaign.campaign_id, span.after, span.before],
  )
  return rows[0]?.count ?? 0
}
