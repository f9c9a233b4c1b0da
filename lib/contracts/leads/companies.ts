import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, id, listEnvelope, optionalText, paging, pathId } from '#lib/contracts/fields'
import { MAX_COUNTED } from '#lib/contracts/leads/people'

export const Company = z
  .object({
    company_id: id(),
    domain: z.string().describe('Of the addresses of its people; it alone says which company one is of.'),
    name: z.string().nullable().describe('As the first list said it.'),
    people_count: z.int(),
    created_at: dateTime(),
  })
  .meta({ id: 'Company' })
export type Company = z.output<typeof Company>

const common = { tag: 'People', errors: 'flat', status: 200, scope: 'read' } as const

export const ListCompanies = contract({
  ...common,
  id: 'listCompanies',
  method: 'GET',
  path: '/companies',
  summary: 'List companies',
  description: `Companies of the people of your campaigns, in the order of their domains. Domains of free mail are none. \`total\` counts to ${MAX_COUNTED}.`,
  query: z.object({ search: optionalText(320).describe('Part of the domain or the name.'), ...paging }),
  response: listEnvelope(Company),
})

export const ReadCompany = contract({
  ...common,
  id: 'readCompany',
  method: 'GET',
  path: '/companies/{company_id}',
  summary: 'Read a company',
  description: 'Its people are those of `GET /people` with `company_id`.',
  params: z.object({ company_id: pathId() }),
  response: Company.extend({
    contacted_count: z.int().describe('People to whom something was sent.'),
    replied_count: z.int().describe('People who replied in any campaign.'),
  }),
  refusals: [404],
})
