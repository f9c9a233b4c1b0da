'use server'

import { revalidatePath } from 'next/cache'
import type { AddRowsAnswer, GivenRows } from '#components/datasets/rows/added-rows'
import type { LeadActs } from '#components/leads/lead-selection'
import type { TickedLead } from '#components/leads/lead-tick'
import { WHY_UNCHANGED } from '#components/leads/lead-words'
import type { CampaignLead } from '#lib/contracts/leads/campaign-leads'
import { MAX_LEADS_AT_ONCE } from '#lib/contracts/leads/lead-stops'
import { AppError } from '#lib/errors'
import * as decisions from '#lib/operations/campaigns/campaign-decisions'
import { listCampaignLeads } from '#lib/operations/campaigns/campaigns'
import { action, answered, perform } from '../../../../action.ts'
import { leadsQuery } from './query.ts'

type Answer = Awaited<ReturnType<LeadActs['stop']>>

const these = (campaign_id: string, campaign_lead_ids: string[]) => ({
  params: { campaign_id },
  body: { campaign_lead_ids },
})

function shown<T>(answer: T): T {
  revalidatePath('/campaigns', 'layout')
  return answer
}

export async function stopSelected(campaignId: string, leadIds: string[]): Promise<Answer> {
  return shown(await perform(decisions.stopCampaignLeads, these(campaignId, leadIds)))
}

export async function takeBackSelected(campaignId: string, leadIds: string[]): Promise<Answer> {
  return shown(await perform(decisions.resumeCampaignLeads, these(campaignId, leadIds)))
}

export async function retrySelected(campaignId: string, leadIds: string[]): Promise<Answer> {
  return shown(await perform(decisions.retryCampaignLeads, these(campaignId, leadIds)))
}

/** Suppresses the leads' addresses, which ends them in every campaign. */
export async function suppressSelected(campaignId: string, leadIds: string[]) {
  return shown(await perform(decisions.suppressCampaignLeads, these(campaignId, leadIds)))
}

/** The leads matching these filters, from the start of the list. */
export async function selectableLeads(campaign_id: string, filters: Record<string, unknown>) {
  const { query } = leadsQuery(filters)
  const rows: CampaignLead[] = []
  let total = Number.POSITIVE_INFINITY
  for (let page = 1; rows.length < Math.min(total, MAX_LEADS_AT_ONCE); page += 1) {
    const listed = await perform(listCampaignLeads, {
      params: { campaign_id },
      query: { ...query, page: String(page), page_size: '100' },
    })
    rows.push(...listed.items)
    total = listed.items.length === 0 ? rows.length : listed.total
  }
  const leads = rows.map(({ campaign_lead_id, email, status, last_event }): TickedLead => {
    return { campaign_lead_id, email, status, last_event }
  })
  return { leads, total }
}

export async function addLeads(campaign_id: string, body: GivenRows): Promise<AddRowsAnswer> {
  return shown(await answered(() => perform(decisions.addCampaignLeads, { params: { campaign_id }, body })))
}

export const holdPerson = action(
  decisions.holdCampaignLead,
  (campaign_id: string, campaign_lead_id: string, until: string) => ({
    params: { campaign_id, campaign_lead_id },
    body: { until },
  }),
  { anew: '/campaigns', said: 'Held.' },
)
export const retryLead = action(
  decisions.retryCampaignLeads,
  (campaign_id: string, campaign_lead_id: string) => these(campaign_id, [campaign_lead_id]),
  {
    anew: '/campaigns',
    said({ unchanged: [stays] }) {
      if (stays)
        throw new AppError('invalid_state', {
          message: `The lead is not tried again: ${WHY_UNCHANGED[stays.reason]}.`,
        })
      return 'The lead is tried again.'
    },
  },
)
export const releasePerson = action(
  decisions.releaseCampaignLead,
  (campaign_id: string, campaign_lead_id: string) => ({ params: { campaign_id, campaign_lead_id } }),
  { anew: '/campaigns', said: 'Campaigns can contact this person again.' },
)
