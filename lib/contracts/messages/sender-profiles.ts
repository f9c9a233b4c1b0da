import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import {
  dateTime,
  editedVersion,
  emptyOrText,
  freeForm,
  id,
  jsonObject,
  paging,
  pathId,
  sortBy,
  text,
  version,
} from '#lib/contracts/fields'
import { parseOrdered } from '#lib/domain/text/ordered-json'

export const SenderProfile = z
  .object({
    user_id: z.string(),
    workspace_id: id(),
    profile_name: z.string(),
    sender_data: z
      .object({ data: jsonObject() })
      .describe(
        'Every key that you sent in `data`, in the same order. Note that JavaScript objects and MCP tool calls put integer keys first.',
      ),
    id: z.string().nullable(),
    description: z.string().nullable(),
    created_at: dateTime().nullable(),
    updated_at: dateTime().nullable(),
    usage_count: z
      .int()
      .describe('Campaigns that use it in a step, except drafts, plus personalization runs with it.'),
    is_default: z.boolean(),
    version: version(),
  })
  .meta({ id: 'SenderProfile' })
export type SenderProfile = z.output<typeof SenderProfile>

const fields = {
  profile_name: text(1, 100),
  sender_data: freeForm().describe('Any fields; merge fields see them as `{{ sender.name }}`.'),
  description: emptyOrText(500).nullable(),
  is_default: z.boolean().describe('A new default replaces the previous one.'),
}
const params = z.object({ id: pathId() })
const common = { tag: 'Sender profiles', errors: 'flat' } as const

/** A leading minus sorts descending. */
export const PROFILE_SORTS = [
  'profile_name',
  '-profile_name',
  'usage_count',
  '-usage_count',
  'created_at',
  '-created_at',
] as const

export const ListSenderProfiles = contract({
  id: 'listSenderProfiles',
  method: 'GET',
  path: '/sender-profiles/',
  ...common,
  summary: 'List sender profiles',
  description: 'Newest first, unless `sort` sets another order.',
  query: z.object({ sort: sortBy(PROFILE_SORTS), ...paging }),
  response: z.object({
    sender_profiles: z.array(SenderProfile),
    total: z.int(),
    page: z.int(),
    page_size: z.int(),
  }),
  status: 200,
  scope: 'read',
})

export const CreateSenderProfile = contract({
  id: 'createSenderProfile',
  method: 'POST',
  path: '/sender-profiles/',
  ...common,
  summary: 'Create a sender profile',
  body: z.object({
    ...fields,
    description: fields.description.default(null),
    is_default: fields.is_default.default(false),
  }),
  parse_json: parseOrdered,
  response: SenderProfile,
  status: 201,
  errors: 'legacy',
  scope: 'write',
})

export const ReadSenderProfile = contract({
  id: 'readSenderProfile',
  method: 'GET',
  path: '/sender-profiles/{id}',
  ...common,
  summary: 'Read a sender profile',
  params,
  response: SenderProfile,
  status: 200,
  scope: 'read',
  refusals: [404],
})

export const UpdateSenderProfile = contract({
  id: 'updateSenderProfile',
  method: 'PATCH',
  path: '/sender-profiles/{id}',
  ...common,
  summary: 'Change a sender profile',
  params,
  body: z.object({ ...fields, version: editedVersion() }).partial(),
  parse_json: parseOrdered,
  response: SenderProfile,
  status: 200,
  scope: 'write',
  refusals: [404, 409],
})

export const DeleteSenderProfile = contract({
  id: 'deleteSenderProfile',
  method: 'DELETE',
  path: '/sender-profiles/{id}',
  ...common,
  summary: 'Delete a sender profile',
  description:
    '409 `sender_profile_in_use` while a campaign uses it, unless that campaign is a draft or has ended.',
  params,
  response: null,
  status: 204,
  scope: 'write',
  refusals: [404, 409],
  destructive: true,
})
