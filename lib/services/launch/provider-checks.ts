import type { LaunchCheck } from '#lib/contracts/campaigns/launch-checks'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import { pool } from '#lib/db/client'
import { PROVIDER_NAMES, type RecipientProvider } from '#lib/domain/domains/recipient-provider'
import type { MatchedProvider } from '#lib/domain/sending/provider-matching'
import { leadsOfDataset } from '#lib/services/forecast/leads'
import { connectedMailboxes } from '#lib/services/senders/mailbox-rows'
import { sendersByProvider } from '#lib/services/sending/providers/recipient-providers'

type Checked = {
  workspace_id: string
  dataset_id: string
  alias_ids: string[] | null
  match_providers: boolean
  steps_config: StepConfig[]
}
type Found = Omit<LaunchCheck, 'fix'>

/** For campaigns that match providers: how many leads are sent to from a mailbox at their own provider first. */
export async function providerChecks(
  campaign: Checked,
  rule: string,
): Promise<{ warns: Found[]; informs: Found[] }> {
  const usesMail = campaign.steps_config.some(({ channel }) => channel === 'email')
  if (!campaign.match_providers || !usesMail) return { warns: [], informs: [] }
  const senders = sendersByProvider(await connectedMailboxes(pool(), campaign))
  if (senders.size === 0)
    return {
      warns: [
        {
          code: 'providers_alike',
          message:
            'Matching providers has no effect. It needs a mailbox at Google or Microsoft and another one elsewhere.',
          step: null,
        },
      ],
      informs: [],
    }
  const { google, microsoft, unknown } = await countProviders(campaign, rule)
  const having = new Set(senders.values())
  const at = (provider: MatchedProvider, count: number) =>
    `${count} at ${PROVIDER_NAMES[provider]}${having.has(provider) ? '' : ', where no mailbox is'}`
  return {
    warns: [],
    informs: [
      {
        code: 'providers_matched',
        message: `Leads go to a mailbox at their own provider first: ${at('google', google)}; ${at('microsoft', microsoft)}.${
          unknown > 0 ? ` The provider of ${unknown} is not known yet. Any mailbox can send to them.` : ''
        }`,
        step: null,
      },
    ],
  }
}

async function countProviders({ workspace_id, dataset_id }: Checked, rule: string) {
  const [enrolled, { rows }] = await Promise.all([
    leadsOfDataset(pool(), workspace_id, dataset_id, rule),
    pool().query<{ lead_index: number; provider: RecipientProvider }>(
      `SELECT d.lead_index, r.provider FROM dataset_rows d JOIN recipient_domains r ON r.domain = split_part(d.email, '@', 2)
       WHERE d.workspace_id = $1 AND d.dataset_id = $2 AND r.provider IS NOT NULL`,
      [workspace_id, dataset_id],
    ),
  ])
  const known = new Map(rows.map(({ lead_index, provider }) => [lead_index, provider]))
  const count = { google: 0, microsoft: 0, unknown: 0 }
  for (const lead of Array.from(enrolled)) {
    const provider = known.get(lead) ?? 'unknown'
    if (provider === 'google' || provider === 'microsoft' || provider === 'unknown') count[provider]++
  }
  return count
}
