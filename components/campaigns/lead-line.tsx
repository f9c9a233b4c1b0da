import type { CampaignLead } from '#lib/contracts/campaign-leads'

/** What the list shows of a lead: a row of a dataset may be wide, and a hundred thousand of them are scrolled through. */
export type LeadLine = Omit<CampaignLead, 'data'> & { name: string }

export function leadLine({ data, ...lead }: CampaignLead): LeadLine {
  return { ...lead, name: [data.first_name, data.last_name].filter(Boolean).join(' ') }
}
