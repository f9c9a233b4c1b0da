import type { Campaign } from '#lib/contracts/campaigns/campaign'
import { db, pool } from '#lib/db/client'
import { takesText } from '#lib/domain/campaigns/social-step'
import { textLimits } from '#lib/domain/social/social-limits'
import { asRecord } from '#lib/domain/text/record'
import type { AccountRow } from '#lib/services/senders/accounts/account-rows'
import { loadTexts } from '#lib/services/sending/compose'
import { composeSocial } from '#lib/services/sending/social/compose-social'

type Checked = Pick<
  Campaign,
  'campaign_id' | 'workspace_id' | 'dataset_id' | 'steps_config' | 'timezone' | 'unreviewed_launch_policy'
>
type Found = { code: string; message: string; step: number | null }

const SAMPLE = 200

/** Renders the texts for the first leads, because a long name or company can make a note too long. */
export async function lengthWarnings(campaign: Checked, accounts: AccountRow[]): Promise<Found[]> {
  const steps = campaign.steps_config.filter(
    (step) => step.channel === 'social' && takesText(step.action_type),
  )
  const account = [...accounts].sort((a, b) => textLimits(a).note - textLimits(b).note)[0]
  if (steps.length === 0 || !account) return []
  const [rows, owner, texts] = await Promise.all([
    db.datasetRow.findMany({
      where: { dataset_id: campaign.dataset_id },
      orderBy: { lead_index: 'asc' },
      take: SAMPLE,
    }),
    db.workspace.findUniqueOrThrow({ where: { workspace_id: campaign.workspace_id } }),
    loadTexts(pool(), campaign, []),
  ])
  return steps.flatMap(({ step }): Found[] => {
    const long = rows.flatMap((row) => {
      const composed = composeSocial(
        campaign,
        {
          lead_index: row.lead_index,
          step,
          sender_id: account.account_id,
          at: owner.created_at.getTime(),
          next: null,
          action_id: account.account_id,
          account,
          lead: {
            campaign_lead_id: account.account_id,
            lead_index: row.lead_index,
            email: row.email,
            data: asRecord(row.data),
          },
        },
        texts,
      )
      return composed.text !== null && composed.problem ? [{ row, problem: composed.problem }] : []
    })
    const [first] = long
    if (!first) return []
    const count = long.length === 1 ? '1 lead' : `${long.length} leads`
    const message = `Step ${step} is too long for ${count} of the first ${rows.length} and would fail: for example row ${first.row.lead_index + 1}. ${first.problem}`
    return [{ code: 'text_too_long', message, step }]
  })
}
