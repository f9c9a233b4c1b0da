import { addCampaignLeads } from '#lib/services/leads/rows/add-leads'
import { editDatasetRow, removeDatasetRow } from '#lib/services/leads/rows/edit-row'
import type { CampaignRow } from '#tests/simulation/checks/ledger'
import { LIVED_IN } from '#tests/simulation/worlds/clocks'
import type { Outside, OutsideEvent } from '#tests/simulation/worlds/outside-event'

/** Some whom a campaign has, some who are suppressed or have replied by then, and some who are new. */
const PEOPLE = Array.from(
  { length: 14 },
  (_, index) => `lead-${index}@${index % 8 < 4 ? 'acme' : 'globex'}.example`,
)

/** The owner adds people to a campaign, removes rows from its dataset, or changes addresses in rows. */
export function changeRows(outside: Outside, campaign: CampaignRow, place: number): OutsideEvent | null {
  const { ledger, rng } = outside
  const { campaign_id, workspace_id } = campaign
  const kind = rng.pick(['add', 'add', 'remove', 'address'] as const)
  const keepsClocks = campaign.schedule_timezone === 'lead'
  const rows = rng.some(PEOPLE, 1).map((email) => ({
    email,
    ...(keepsClocks && rng.chance(0.6) ? { timezone: rng.pick(LIVED_IN) } : {}),
  }))
  const on_conflict = rng.pick(['skip', 'update'] as const)
  const leads = [...ledger.leads.values()].filter((one) => one.campaign_id === campaign_id)
  if (leads.length === 0) return null
  const lead = rng.pick(leads)
  const email = rng.pick(PEOPLE)
  const act = { actor: 'owner', workspace_id } as const
  if (kind === 'add')
    return {
      ...act,
      label: `add ${rows.length} to ${place}`,
      work: (now) => addCampaignLeads(workspace_id, campaign_id, { rows, on_conflict }, now),
    }
  const { dataset_id, lead_index } = lead
  const key = { workspace_id, dataset_id, lead_index }
  if (kind === 'remove')
    return {
      ...act,
      label: `remove row ${lead_index} of ${place}`,
      work: (now) => removeDatasetRow(key, now),
    }
  if (keepsClocks && rng.chance(0.5)) {
    const timezone = rng.pick(['', ...LIVED_IN])
    return {
      ...act,
      label: `row ${lead_index} of ${place} lives by ${timezone || 'no clock that is known'}`,
      work: (now) => editDatasetRow(key, { data: { timezone }, version: null }, now),
    }
  }
  return {
    ...act,
    label: `row ${lead_index} of ${place} is ${email}`,
    work: (now) => editDatasetRow(key, { data: { email }, version: null }, now),
  }
}
