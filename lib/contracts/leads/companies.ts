import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, id, listEnvelope, optionalText, paging, pathId, sortBy } from '#lib/contracts/fields'
import { MAX_COUNTED, MAX_TOUCHES, PersonTouch } from '#lib/contracts/leads/people'

export const Company = z
  .object({
    company_id: id(),
    domain: z
      .string()
      .describe('The email domain of its people. It alone decides who belongs to the company.'),
    name: z.string().nullable().describe('As given by the first list.'),
    people_count: z.int(),
    contacted_count: z.int().describe('People who were contacted.'),
    replied_count: z.int().describe('People who replied in any campaign.'),
    created_at: dateTime(),
  })
  .meta({ id: 'Company' })
export type Company = z.output<typeof Company>

export const CompanyTouch = PersonTouch.extend({
  person_id: id(),
  name: z.string().describe('The person: name, otherwise address, otherwise profile.'),
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
          'Until then, campaigns contact nobody else there under the contact policy, unless they are set not to wait. Null: nobody is waiting.',
        ),
    })
    .nullable()
    .describe('Who replied last.'),
  touches: z
    .array(CompanyTouch)
    .describe(
      `Messages and events with its people across all campaigns and channels, newest first, up to ${MAX_TOUCHES}.`,
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
  description: `Companies of the people in your campaigns, by domain. Free email domains do not count. \`total\` counts up to ${MAX_COUNTED}. \`sort\` sets another order, a leading minus reverses it, and companies without the value come last.`,
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
  description: 'For its people, use `GET /people` with `company_id`.',
  params: z.object({ company_id: pathId() }),
  response: OneCompany,
  refusals: [404],
})
