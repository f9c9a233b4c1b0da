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

/** Lists count so far: what nobody pages through costs no time. */
export const MAX_COUNTED = 10_000
/** Touches and leads that one person is shown with. */
export const MAX_TOUCHES = 200
export const MAX_PERSON_LEADS = 100
export const MAX_CONSENTS = 50
/** People that one request makes a dataset of. */
export const MAX_DATASET_PEOPLE = 100_000
export const MAX_TAGS = 50
/** People that one request changes, or makes a dataset of by their ids. */
export const MAX_PEOPLE_AT_ONCE = 1_000

export const Person = z
  .object({
    person_id: id(),
    email: z.string().nullable().describe('In lower case. One address is one person of a workspace.'),
    profile: z
      .string()
      .nullable()
      .describe('The network and the profile there, as `linkedin:linkedin.com/in/ada`.'),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    title: z.string().nullable(),
    company: z.string().nullable().describe('The name that lists or members gave it.'),
    country: z.string().nullable(),
    phone: z.string().nullable(),
    tags: z.array(z.string()),
    company_id: id().nullable().describe('By the domain of the address; null for addresses of free mail.'),
    replied: z.boolean().describe('Whether they replied in any campaign.'),
    last_contacted_at: dateTime()
      .nullable()
      .describe('When the last step was sent to them, in any campaign.'),
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
          .describe('In E.164, of people who were first known by their number alone.'),
      }),
    )
    .describe('What they are known by first, then that of whoever was merged into them.'),
  leads: z
    .array(
      z.object({
        campaign_lead_id: id(),
        campaign_id: id(),
        campaign_name: z.string(),
        owner_name: z.string().describe('The member whose campaign it is.'),
        status: z.enum(LEAD_STATUSES),
        created_at: dateTime(),
      }),
    )
    .describe(`Their places in campaigns, newest first, at most ${MAX_PERSON_LEADS}.`),
  touches: z
    .array(PersonTouch)
    .describe(`What passed between you in all campaigns and channels, newest first, at most ${MAX_TOUCHES}.`),
  consents: z
    .array(Consent)
    .describe(`What they agreed to by a form and confirmed, newest first, at most ${MAX_CONSENTS}.`),
}).meta({ id: 'OnePerson' })
export type OnePerson = z.output<typeof OnePerson>

const common = { tag: 'People', errors: 'flat' } as const
const params = z.object({ person_id: pathId() })
const truth = () => z.enum(['true', 'false']).optional()

/** Which people are asked for; all of them must hold. */
export const peopleFilters = () =>
  z.object({
    search: optionalText(320).describe('Part of the name, the address, the profile or the company.'),
    company_id: id().optional(),
    campaign_id: id().optional().describe('People with a lead in this campaign.'),
    replied: truth(),
    contacted: truth().describe('`false`: nothing was ever sent to them.'),
    contacted_in_days: wholeNumber(1, 3_650)
      .optional()
      .describe('Contacted in so many days before now. Unlike an instant, it stays true in a saved view.'),
    not_contacted_in_days: wholeNumber(1, 3_650)
      .optional()
      .describe('Contacted, but not in so many days before now.'),
    last_contacted_before: dateTimeInput().optional().describe('Contacted, but not at or after this.'),
    last_contacted_after: dateTimeInput().optional().describe('Contacted at or after this.'),
    title: optionalText(255).describe('Part of the title.'),
    country: optionalText(255).describe('The country as lists say it, in any case.'),
    tag: optionalText(50),
  })

export const ListPeople = contract({
  ...common,
  id: 'listPeople',
  method: 'GET',
  path: '/people',
  summary: 'List people',
  description: `Everybody whom a lead of a campaign stands for, newest first. Whoever was merged into somebody is not listed. \`total\` counts to ${MAX_COUNTED}. \`sort\` sets another order; a minus sorts from the last, and people without the value come last.`,
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
    'Whom the filters leave, newest first, with what lists say of them, their tags, and when they were last contacted. CSV is UTF-8 with a byte order mark, and cells that look like formulas begin with an apostrophe, which an import takes off. XLSX stores every value as text.',
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
  summary: 'Make a dataset of people',
  description: `Whom the filters leave, or of those the ones that are named, as the rows of a new dataset for campaigns; as they are now, later people are not added. At most ${MAX_DATASET_PEOPLE} at once. 409 \`no_people\` if nobody matches, \`too_many_people\` above that. Suppressions and the contact policy hold for them as for every lead.`,
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
  description: `Adds and removes tags of up to ${MAX_PEOPLE_AT_ONCE} people. Somebody who would have more than ${MAX_TAGS} is left as they are, and so are ids of nobody.`,
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
    changed: z.array(id()).describe('Those whose tags are others now.'),
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
    'Puts their addresses on the list of suppressions, of whoever has none their profiles and telephone numbers; of somebody who was merged, all of them. Their leads that wait end, in all campaigns.',
  body: z.object({ person_ids: together() }),
  response: z.object({
    added: z.int(),
    already_listed: z.int().describe('These keep the reason that they had.'),
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
    'Changes what is given and keeps the rest; `null` empties. Except for tags, lists say nothing more of somebody who was edited. Rows of datasets, and so the texts of campaigns, stay as they are.',
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
    'The leads of `from` become those of `into`, and so do leads of later campaigns that have an address or profile of `from`. What was sent and answered stays. `POST /people/{person_id}/split` undoes it. 409 `same_person` where they are one already, `conflict` where one of the two was merged into somebody else.',
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
    'Takes people out again who were merged into this one: each gets back the leads with their address, or with their profile where the lead has no address. 409 `not_merged` if one of them is not part of this person.',
  params,
  body: z.object({
    person_ids: z.array(id()).min(1).max(100).describe('Ids of `identities`, those of whoever was merged.'),
  }),
  response: OnePerson,
  status: 200,
  scope: 'write',
  refusals: [404, 409],
})
