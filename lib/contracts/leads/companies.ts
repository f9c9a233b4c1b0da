import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, id, listEnvelope, optionalText, paging, pathId, sortBy } from '#lib/contracts/fields'
import { MAX_COUNTED, MAX_TOUCHES, PersonTouch } from '#lib/contracts/leads/people'

export const Company = z
  .object({
    company_id: id(),
    domain: z.string().describe('Of the addresses of its people; it alone says which company one is of.'),
    name: z.string().nullable().describe('As the first list said it.'),
    people_count: z.int(),
    contacted_count: z.int().describe('People to whom something was sent.'),
    replied_count: z.int().describe('People who replied in any campaign.'),
    created_at: dateTime(),
  })
  .meta({ id: 'Company' })
export type Company = z.output<typeof Company>

export const CompanyTouch = PersonTouch.extend({
  person_id: id(),
  name: z.string().describe('Whom it passed with: name, else address, else profile.'),
}).meta({ id: 'CompanyTouch' })
export type CompanyTouch = z.output<typeof CompanyTouch>

export const OneCompany = Company.extend({
  last_reply: z
    .object({
      at: dateTime(),
      person_id: id(),
      name: z.string(),
      others_wait_until: dateTime()
        .nullable()
        .describe(
          'Until then campaigns write to nobody else there, by the contact policy, unless they have a reason not to wait. Null: nobody waits for it.',
        ),
    })
    .nullable()
    .describe('Who replied last.'),
  touches: z
    .array(CompanyTouch)
    .describe(
      `What passed between you and its people in all campaigns and channels, newest first, at most ${MAX_TOUCHES}.`,
    ),
}).meta({ id: 'OneCompany' })
export type OneCompany = z.output<typeof OneCompany>

export const COMPANY_SORTS = [
  'name',
  '-name',
  'domain',
  '-domain',
  'people_count',
  '-people_count',
  'contacted_count',
  '-contacted_count',
  'replied_count',
  '-replied_count',
] as const

const common = { tag: 'People', errors: 'flat', status: 200, scope: 'read' } as const

export const ListCompanies = contract({
  ...common,
  id: 'listCompanies',
  method: 'GET',
  path: '/companies',
  summary: 'List companies',
  description: `Companies of the people of your campaigns, in the order of their domains. Domains of free mail are none. \`total\` counts to ${MAX_COUNTED}. \`sort\` sets another order; a minus sorts from the last, and companies without the value come last.`,
  query: z.object({
    search: optionalText(320).describe('Part of the domain or the name.'),
    replied: z
      .preprocess((value) => (value === '' ? undefined : value), z.enum(['true', 'false']).optional())
      .describe('Whether anybody there replied in any campaign.'),
    sort: sortBy(COMPANY_SORTS),
    ...paging,
  }),
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
  response: OneCompany,
  refusals: [404],
})
