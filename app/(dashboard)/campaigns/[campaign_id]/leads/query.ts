import { id } from '#lib/contracts/fields'
import { ListCampaignLeads } from '#lib/contracts/leads/campaign-leads'
import { parseQuery } from '../../../../page-input.ts'

/** One page of a long list: several screens of rows, some 10 kB. */
const PAGE_SIZE = 50

/** `lead` names the one whose timeline stands open beside the list. */
const Query = ListCampaignLeads.query.extend({ lead: id().optional() })

/** What the address asks of the list, and the part of it that stays from page to page. */
export function leadsQuery(params: unknown) {
  const { lead, page, page_size: _, ...filters } = parseQuery(Query, params)
  return { lead, filters, query: { ...filters, page, page_size: PAGE_SIZE } }
}
