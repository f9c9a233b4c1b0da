import { id } from '#lib/contracts/fields'
import { ListCampaignLeads } from '#lib/contracts/leads/campaign-leads'
import { parseQuery } from '../../../../page-input.ts'

/** Page size of a long list: several screens of rows, about 10 kB. */
const PAGE_SIZE = 50

/** `lead` is the lead whose timeline is open beside the list. */
const Query = ListCampaignLeads.query.extend({ lead: id().optional() })

/** The list's query, and the part of it that stays from page to page. */
export function leadsQuery(params: unknown) {
  const { lead, page, page_size: _, ...filters } = parseQuery(Query, params)
  return { lead, filters, query: { ...filters, page, page_size: PAGE_SIZE } }
}
