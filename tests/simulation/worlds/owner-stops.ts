import { resumeLeads, stopLeads } from '#lib/services/leads/stops'
import type { CampaignRow, LeadRow } from '#tests/simulation/checks/ledger'
import type { Outside, OutsideEvent } from '#tests/simulation/worlds/outside-event'

const idOf = ({ campaign_lead_id }: LeadRow) => campaign_lead_id

/** The owner stops some leads of a campaign, whatever they are just now, and mostly regrets it. */
export function stopSome(outside: Outside, campaign: CampaignRow, place: number): OutsideEvent | null {
  const { ledger, rng, regrets } = outside
  const { campaign_id, workspace_id } = campaign
  const some = [...ledger.leads.values()].filter(
    (lead) => lead.campaign_id === campaign_id && rng.chance(0.5),
  )
  if (some.length === 0) return null
  const regretted = rng.chance(0.8)
  return {
    actor: 'owner',
    workspace_id,
    label: `stop ${some.length} of ${place}`,
    work: async (now) => {
      await stopLeads(workspace_id, campaign_id, some.map(idOf), now)
      if (regretted) regrets.add(campaign_id)
    },
  }
}

/** What was stopped goes on, as far as nothing came between; asked once, whatever became of it. */
export function takeBack(
  { ledger, regrets }: Outside,
  campaignId: string,
  workspaceId: string,
  place: number,
): OutsideEvent {
  const stopped = [...ledger.leads.values()].filter(
    (lead) => lead.campaign_id === campaignId && lead.last_event === 'stopped',
  )
  return {
    actor: 'owner',
    workspace_id: workspaceId,
    label: `take back ${stopped.length} of ${place}`,
    work: (now) => {
      regrets.delete(campaignId)
      return resumeLeads(workspaceId, campaignId, stopped.map(idOf), now)
    },
  }
}
