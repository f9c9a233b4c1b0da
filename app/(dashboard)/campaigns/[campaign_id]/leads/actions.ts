'use server'

import { revalidatePath } from 'next/cache'
import type { LeadActs, TickedLead } from '#components/leads/lead-selection'
import { ListCampaignLeads } from '#lib/contracts/leads/campaign-leads'
import { MAX_LEADS_AT_ONCE, ResumeCampaignLeads, StopCampaignLeads } from '#lib/contracts/leads/lead-stops'
import { AddSuppressions } from '#lib/contracts/leads/suppressions'
import { requireUser } from '#lib/http/session'
import { listCampaignLeads } from '#lib/services/leads/campaign-leads'
import { leadAddresses, resumeLeads, stopLeads } from '#lib/services/leads/stops'
import { addSuppressions } from '#lib/services/leads/suppressions'
import { noted } from '../../../../noted.ts'
import { leadsQuery } from './query.ts'

type Answer = Awaited<ReturnType<LeadActs['stop']>>

const asked = (campaignId: string, leadIds: string[]) => ({
  ...StopCampaignLeads.params.parse({ campaign_id: campaignId }),
  ...StopCampaignLeads.body.parse({ campaign_lead_ids: leadIds }),
})
const refresh = (campaignId: string) => revalidatePath(`/campaigns/${campaignId}`, 'layout')

export async function stopSelected(campaignId: string, leadIds: string[]): Promise<Answer> {
  const user = await requireUser()
  const { campaign_id, campaign_lead_ids } = asked(campaignId, leadIds)
  const answer = await stopLeads(user.user_id, campaign_id, campaign_lead_ids, new Date())
  await noted(user, StopCampaignLeads, { campaign_id })
  refresh(campaign_id)
  return answer
}

export async function takeBackSelected(campaignId: string, leadIds: string[]): Promise<Answer> {
  const user = await requireUser()
  const { campaign_id, campaign_lead_ids } = asked(campaignId, leadIds)
  const answer = await resumeLeads(user.user_id, campaign_id, campaign_lead_ids, new Date())
  await noted(user, ResumeCampaignLeads, { campaign_id })
  refresh(campaign_id)
  return answer
}

/** Their addresses go on the list, which ends them in every campaign. */
export async function suppressSelected(campaignId: string, leadIds: string[]) {
  const user = await requireUser()
  const { campaign_id, campaign_lead_ids } = asked(campaignId, leadIds)
  const values = await leadAddresses(user.user_id, campaign_id, campaign_lead_ids)
  if (values.length === 0) return { added: 0, leads_ended: 0 }
  const body = AddSuppressions.body.parse({ values })
  const { added, leads_ended } = await addSuppressions(user.user_id, body, new Date())
  await noted(user, AddSuppressions)
  refresh(campaign_id)
  return { added, leads_ended }
}

/** What the list shows with these filters, from its beginning. */
export async function selectableLeads(campaignId: string, filters: Record<string, unknown>) {
  const user = await requireUser()
  const { campaign_id } = ListCampaignLeads.params.parse({ campaign_id: campaignId })
  const { query } = leadsQuery(filters)
  const { items, total } = await listCampaignLeads(user.user_id, campaign_id, {
    ...query,
    page: 1,
    page_size: MAX_LEADS_AT_ONCE,
  })
  const leads = items.map(({ campaign_lead_id, email, status, last_event }): TickedLead => {
    return { campaign_lead_id, email, status, last_event }
  })
  return { leads, total }
}
