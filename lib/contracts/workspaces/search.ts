import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { id, text } from '#lib/contracts/fields'
import { CAMPAIGN_STATUSES } from '#lib/domain/campaigns/campaign-status'

export const Found = z
  .object({
    campaigns: z.array(z.object({ campaign_id: id(), name: z.string(), status: z.enum(CAMPAIGN_STATUSES) })),
    leads: z.array(
      z.object({
        campaign_lead_id: id(),
        campaign_id: id(),
        campaign_name: z.string(),
        email: z.string(),
        status: z.string(),
      }),
    ),
    datasets: z.array(z.object({ dataset_id: id(), dataset_name: z.string(), row_count: z.int() })),
    templates: z.array(z.object({ template_id: id(), name: z.string() })),
    threads: z.array(z.object({ thread_id: id(), counterpart_address: z.string(), subject: z.string() })),
    mailboxes: z.array(z.object({ mailbox_id: id(), address: z.string(), name: z.string().nullable() })),
  })
  .meta({ id: 'Found' })
export type Found = z.output<typeof Found>

export const Search = contract({
  id: 'search',
  method: 'GET',
  path: '/search',
  tag: 'Search',
  summary: 'Search the account',
  description:
    'At most five of each kind, newest first. `q` matches any part of names and subjects, and the beginning of a lead’s or thread’s address. Without `q`: the newest of each kind except leads.',
  query: z.object({ q: text(0, 200).default('') }),
  response: Found,
  status: 200,
  errors: 'flat',
  scope: 'read',
})
