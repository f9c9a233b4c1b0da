'use client'

import { createTicks } from '#components/lists/kept-selection'
import type { CampaignLead } from '#lib/contracts/leads/campaign-leads'

/** The data kept for a selected lead. */
export type TickedLead = Pick<CampaignLead, 'campaign_lead_id' | 'email' | 'status' | 'last_event'>

export const TickedLeads = createTicks<TickedLead>()
