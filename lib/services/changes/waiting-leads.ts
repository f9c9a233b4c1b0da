import type { Campaign } from '#lib/contracts/campaigns/campaign'
import type { PrismaClient } from '#lib/db/generated/client'
import { toStatements } from '#lib/db/statements'
import { editsNextStep } from '#lib/domain/campaigns/campaign-status'
import { stepAction } from '#lib/domain/campaigns/campaign-type'
import { goOn } from '#lib/domain/sending/outcome'
import { campaignNetwork } from '#lib/services/leads/channels'
import { profileSql } from '#lib/services/leads/enrolment-rule'
import { settleClocks } from '#lib/services/leads/rows/clocks'
import { loseStep, reassignSender, waitOtherwise } from '#lib/services/leads/state/edits'
import { releaseLeads } from '#lib/services/leads/state/steps'

type Tx = Pick<PrismaClient, '$executeRawUnsafe' | '$queryRaw' | '$queryRawUnsafe'>
type Edited = Pick<
  Campaign,
  | 'campaign_id'
  | 'workspace_id'
  | 'dataset_id'
  | 'timezone'
  | 'schedule_timezone'
  | 'steps_config'
  | 'alias_ids'
  | 'connected_account_id'
>

/**
 * Adjusts waiting leads to an edited campaign, in the edit's own transaction. A lead whose mailbox or account is no longer among the
 * campaign's gets a new one at its next slot; its thread continues. Leads that wait for an edited step wait for its new version, with the
 * delay counted from what was really sent; if the step was removed, they are completed.
 */
export async function moveWaitingLeads(
  tx: Tx,
  before: Edited,
  after: Edited,
  reachedStep: number,
  now: Date,
): Promise<{ leads_moved: number }> {
  await settleClocks(toStatements(tx), before, after)
  const rehomed =
    (before.alias_ids === after.alias_ids ? 0 : await reassignLeads(tx, after)) +
    (before.connected_account_id === after.connected_account_id ? 0 : await moveToAccount(tx, before, after))
  if (editsNextStep(before, after, reachedStep)) await waitForEditedStep(tx, after, reachedStep, now)
  return { leads_moved: rehomed }
}

async function reassignLeads(tx: Tx, { campaign_id, alias_ids }: Edited): Promise<number> {
  if (alias_ids === null) return 0
  const which = {
    sql: 'l.campaign_id = $1::uuid AND l.mailbox_id <> ALL ($2::uuid[])',
    values: [campaign_id, alias_ids],
  }
  return reassignSender(toStatements(tx), 'mailbox_id', which)
}

/**
 * Resets leads of accounts that the campaign no longer acts from: the next account looks them up on the network again. On another network
 * they have another profile, or none.
 */
async function moveToAccount(tx: Tx, before: Edited, after: Edited): Promise<number> {
  const network = await campaignNetwork(after)
  const moved = await reassignSender(toStatements(tx), 'connected_account_id', {
    sql: `l.campaign_id = $1::uuid AND l.connected_account_id NOT IN (
      SELECT account_id FROM connected_accounts WHERE workspace_id = $2::uuid
        AND CASE WHEN $3::uuid IS NULL THEN provider = $4::text ELSE account_id = $3::uuid END)`,
    values: [after.campaign_id, after.workspace_id, after.connected_account_id, network],
  })
  if (network !== (await campaignNetwork(before)))
    await tx.$executeRawUnsafe(
      `UPDATE campaign_leads l SET social_profile = left(${profileSql(network)}, 500), social_problem = NULL
       FROM dataset_rows r WHERE r.dataset_id = l.dataset_id AND r.lead_index = l.lead_index
         AND l.campaign_id = $1::uuid AND l.status IN ('pending', 'active', 'completed')`,
      after.campaign_id,
    )
  return moved
}

/**
 * Steps up to `reached` cannot be edited, so only leads that wait for the next step are touched. Held leads are checked again when that
 * step is due, as after a resume. Before the first step nothing was sent, so each lead keeps its waiting time.
 */
async function waitForEditedStep(tx: Tx, campaign: Edited, reached: number, now: Date): Promise<void> {
  await releaseLeads(toStatements(tx), campaign.campaign_id, now, null)
  const waiting = await tx.$queryRaw<
    { campaign_lead_id: string; next_action_at: Date; performed_at: Date | null; timezone: string | null }[]
  >`
    SELECT l.campaign_lead_id, l.next_action_at, a.performed_at, l.timezone FROM campaign_leads l
    LEFT JOIN actions a ON a.campaign_lead_id = l.campaign_lead_id AND a.step = ${reached}
    WHERE l.campaign_id = ${campaign.campaign_id}::uuid AND l.status = 'active' AND l.next_step = ${reached + 1}
      AND l.next_action_at IS NOT NULL
    FOR NO KEY UPDATE OF l`
  const config = campaign.steps_config[reached]
  const ids = waiting.map((lead) => lead.campaign_lead_id)
  if (!config) return loseStep(toStatements(tx), ids, now)
  const due = waiting.map(({ campaign_lead_id, next_action_at, performed_at, ...lead }) => {
    if (performed_at === null) return { campaign_lead_id, due_at: next_action_at }
    const timezone = lead.timezone ?? campaign.timezone
    const { next } = goOn({ ...campaign, timezone, step: reached, performed_at: performed_at.getTime() })
    return { campaign_lead_id, due_at: new Date(next?.due_at ?? performed_at) }
  })
  const waits = { action_type: stepAction(config), channel: config.channel }
  await waitOtherwise(toStatements(tx), due, waits)
}
