import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { Dataset } from '#lib/contracts/datasets/datasets'
import {
  dateTime,
  dateTimeInput,
  editedVersion,
  emptyOrText,
  exportQuery,
  fileAnswer,
  id,
  listEnvelope,
  optionalText,
  paging,
  pathId,
  sortBy,
  text,
  version,
  wholeNumber,
} from '#lib/contracts/fields'
import { Consent } from '#lib/contracts/leads/forms'
import { LEAD_STATUSES } from '#lib/domain/campaigns/campaign-status'
import { PEOPLE_SORTS } from '#lib/domain/leads/person-columns'

/** The highest total that lists count to; counting further would take time that nobody needs. */
export const MAX_COUNTED = 10_000
/** The most touches and leads returned with one person. */
export const MAX_TOUCHES = 200
export const MAX_PERSON_LEADS = 100
export const MAX_CONSENTS = 50
/** The most possible duplicates suggested for one person. */
export const MAX_ALIKE = 6
/** The most people that one request copies into a dataset. */
export const MAX_DATASET_PEOPLE = 100_000
export const MAX_TAGS = 50
/** The most people named by id in one request that changes them or copies them into a dataset. */
export const MAX_PEOPLE_AT_ONCE = 1_000

export const Person = z
  .object({
    person_id: id(),
    email: z.string().nullable().describe('In lower case. One address is one person in a workspace.'),
    profile: z
      .string()
      .nullable()
      .describe('The network and profile, such as `linkedin:linkedin.com/in/ada`.'),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    title: z.string().nullable(),
    company: z.string().nullable().describe('The company name from lists or members.'),
    country: z.string().nullable(),
    phone: z.string().nullable(),
    tags: z.array(z.string()),
    company_id: id().nullable().describe('By email domain. Null for free email addresses.'),
    replied: z.boolean().describe('Whether they replied in any campaign.'),
    last_contacted_at: dateTime().nullable().describe('When a step was last sent to them, in any campaign.'),
    version: version(),
    created_at: dateTime(),
    updated_at: dateTime(),
  })
  .meta({ id: 'Person' })
export type Person = z.output<typeof Person>

export const PersonTouch = z
  .object({
    at: dateTime(),
    kind: z
      .string()
      .describe(
        '`sent`; `reply` and `automatic_reply`; `answer` (written in the inbox); `open` and `click` (of a person, not of a scanner); `bounced`, `unsubscribed`, `complaint`.',
      ),
    channel: z.string().nullable(),
    action_type: z.string().nullable(),
    step: z.int().nullable(),
    subject: z.string().nullable(),
    text: z.string().nullable().describe('The first 500 characters.'),
    campaign_id: id(),
    campaign_name: z.string(),
    campaign_lead_id: id(),
    thread_id: id().nullable(),
  })
  .meta({ id: 'PersonTouch' })
export type PersonTouch = z.output<typeof PersonTouch>

export const OnePerson = Person.extend({
  identities: z
    .array(
      z.object({
        person_id: id(),
        email: z.string().nullable(),
        profile: z.string().nullable(),
        telephone: z
          .string()
          .nullable()
          .describe('In E.164. Only for people first known by their number alone.'),
      }),
    )
    .describe('Their own identity first, then those of merged people.'),
  alike: z
    .array(Person)
    .describe(
      `Others who may be the same person, up to ${MAX_ALIKE}: they have the same profile, or an address that differs only in a +tag, or in dots at Gmail. They are not merged automatically.`,
    ),
  leads: z
    .array(
      z.object({
        campaign_lead_id: id(),
        campaign_id: id(),
        campaign_name: z.string(),
        owner_name: z.string().describe('The campaign’s owner.'),
        status: z.enum(LEAD_STATUSES),
        created_at: dateTime(),
      }),
    )
    .describe(`Their campaign leads, newest first, up to ${MAX_PERSON_LEADS}.`),
  touches: z
    .array(PersonTouch)
    .describe(`Messages and events across all campaigns and channels, newest first, up to ${MAX_TOUCHES}.`),
  consents: z
    .array(Consent)
    .describe(`Consents given and confirmed through forms, newest first, up to ${MAX_CONSENTS}.`),
}).meta({ id: 'OnePerson' })
export type OnePerson = z.output<typeof OnePerson>

const common = { tag: 'People', errors: 'flat' } as const
const params = z.object({ person_id: pathId() })
const truth = () => z.enum(['true', 'false']).optional()

/** The filters for people; all of them must match. */
export const peopleFilters = () =>
  z.object({
    search: optionalText(320).describe('Part of the name, the address, the profile or the company.'),
    company_id: id().optional(),
    campaign_id: id().optional().describe('People with a lead in this campaign.'),
    replied: truth(),
    contacted: truth().describe('`false`: they were never contacted.'),
    contacted_in_days: wholeNumber(1, 3_650)
      .optional()
      .describe('Contacted within this many days. Unlike a fixed date, it stays current in a saved view.'),
    not_contacted_in_days: wholeNumber(1, 3_650)
      .optional()
      .describe('Contacted, but not within this many days.'),
    last_contacted_before: dateTimeInput().optional().describe('Contacted, but not at or after this.'),
    last_contacted_after: dateTimeInput().optional().describe('Contacted at or after this.'),
    title: optionalText(255).describe('Part of the title.'),
    country: optionalText(255).describe('The country as given in lists. Case does not matter.'),
    tag: optionalText(50),
  })

export const ListPeople = contract({
  ...common,
  id: 'listPeople',
  method: 'GET',
  path: '/people',
  summary: 'List people',
  description: `Everybody who is or was a campaign lead, newest first. People merged into somebody else are not listed. \`total\` counts up to ${MAX_COUNTED}. \`sort\` sets another order, a leading minus reverses it, and people without the value come last.`,
  query: peopleFilters().extend({
    sort: sortBy(PEOPLE_SORTS),
    ...paging,
  }),
  response: listEnvelope(Person),
  status: 200,
  scope: 'read',
})

export const ExportPeople = contract({
  ...common,
  id: 'exportPeople',
  method: 'GET',
  path: '/people/export',
  summary: 'Export people',
  description:
    'People matching the filters, newest first, with their list data, tags and last contact. CSV is UTF-8 with a byte order mark. Cells that look like formulas start with an apostrophe, which an import removes. XLSX stores every value as text.',
  query: peopleFilters().extend(exportQuery().shape),
  response: fileAnswer(),
  file: true,
  status: 200,
  scope: 'read',
})

export const CreatePeopleDataset = contract({
  ...common,
  id: 'createPeopleDataset',
  method: 'POST',
  path: '/people/dataset',
  summary: 'Create a dataset from people',
  description: `Creates a dataset from the people matching the filters, or the selected ones among them. People added later are not included. Up to ${MAX_DATASET_PEOPLE} at once. 409 \`no_people\` if nobody matches, \`too_many_people\` above the limit. Suppressions and the contact policy apply as for any lead.`,
  body: z
    .object({
      dataset_name: text(1, 255),
      filters: z.strictObject(peopleFilters().shape).optional(),
      person_ids: z.array(id()).min(1).max(MAX_PEOPLE_AT_ONCE).optional(),
    })
    .refine(({ filters, person_ids }) => filters !== undefined || person_ids !== undefined, {
      path: ['filters'],
      message: 'filters or person_ids is required',
    }),
  response: Dataset,
  status: 201,
  scope: 'write',
  refusals: [409],
  example: {
    body: { dataset_name: 'Quiet in Germany', filters: { country: 'Germany', contacted: 'false' } },
  },
})

const together = () => z.array(id()).min(1).max(MAX_PEOPLE_AT_ONCE)

export const TagPeople = contract({
  ...common,
  id: 'tagPeople',
  method: 'POST',
  path: '/people/tags',
  summary: 'Tag several people',
  description: `Adds and removes tags for up to ${MAX_PEOPLE_AT_ONCE} people. Anyone who would have more than ${MAX_TAGS} tags is left unchanged. Unknown ids are ignored.`,
  body: z
    .object({
      person_ids: together(),
      add_tags: z.array(text(1, 50)).max(MAX_TAGS).default([]),
      remove_tags: z.array(text(1, 50)).max(MAX_TAGS).default([]),
    })
    .refine(({ add_tags, remove_tags }) => add_tags.length + remove_tags.length > 0, {
      path: ['add_tags'],
      message: 'add_tags or remove_tags is required',
    }),
  response: z.object({
    changed: z.array(id()).describe('People whose tags changed.'),
  }),
  status: 200,
  scope: 'write',
  example: { body: { person_ids: ['01890000-0000-7000-8000-000000000001'], add_tags: ['partner'] } },
})

export const SuppressPeople = contract({
  ...common,
  id: 'suppressPeople',
  method: 'POST',
  path: '/people/suppress',
  summary: 'Suppress several people',
  description:
    'Suppresses their addresses, or their profiles and phone numbers if they have no address. For merged people, all of them. Their waiting leads end in all campaigns.',
  body: z.object({ person_ids: together() }),
  response: z.object({
    added: z.int(),
    already_listed: z.int().describe('Already listed. They keep their reason.'),
    leads_ended: z.int(),
  }),
  status: 200,
  scope: 'write',
  destructive: true,
})

export const ReadPerson = contract({
  ...common,
  id: 'readPerson',
  method: 'GET',
  path: '/people/{person_id}',
  summary: 'Read a person',
  description:
    'With their leads and touches in all campaigns. The id of somebody who was merged answers whom they were merged into.',
  params,
  response: OnePerson,
  status: 200,
  scope: 'read',
  refusals: [404],
})

const told = () => emptyOrText(500).nullable().optional()

export const UpdatePerson = contract({
  ...common,
  id: 'updatePerson',
  method: 'PATCH',
  path: '/people/{person_id}',
  summary: 'Edit a person',
  description:
    'Changes the given fields and keeps the rest. `null` clears a field. After an edit (except of tags), later lists no longer change the person. Dataset rows, and so campaign texts, do not change.',
  params,
  body: z.object({
    first_name: told(),
    last_name: told(),
    title: told(),
    company: told(),
    country: told(),
    phone: told(),
    company_id: id().nullable().optional(),
    tags: z.array(text(1, 50)).max(MAX_TAGS).optional(),
    version: editedVersion(),
  }),
  response: Person,
  status: 200,
  scope: 'write',
  refusals: [404, 409],
})

export const MergePeople = contract({
  ...common,
  id: 'mergePeople',
  method: 'POST',
  path: '/people/merge',
  summary: 'Merge two people',
  description:
    'The leads of `from` become leads of `into`, including later leads with an address or profile of `from`. Sent messages and replies do not change. `POST /people/{person_id}/split` undoes it. 409 `same_person` if they are already one, `conflict` if either was merged into somebody else.',
  body: z.object({ into: id(), from: id() }),
  response: OnePerson,
  status: 200,
  scope: 'write',
  refusals: [404, 409],
})

export const SplitPerson = contract({
  ...common,
  id: 'splitPerson',
  method: 'POST',
  path: '/people/{person_id}/split',
  summary: 'Split a person',
  description:
    'Separates people who were merged into this one. Each gets back the leads with their address, or with their profile if the lead has no address. 409 `not_merged` if one of them is not part of this person.',
  params,
  body: z.object({
    person_ids: z.array(id()).min(1).max(100).describe('Ids from `identities` of the merged people.'),
  }),
  response: OnePerson,
  status: 200,
  scope: 'write',
  refusals: [404, 409],
})
