import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import {
  dateTime,
  editedVersion,
  id,
  listEnvelope,
  paging,
  pathId,
  text,
  version,
} from '#lib/contracts/fields'
import { inWorkspace } from '#lib/contracts/workspaces/workspaces'
import { JOINING_ROLES } from '#lib/domain/workspaces/provider-roles'

export const SignInDomain = z
  .object({
    sign_in_domain_id: id(),
    workspace_id: id(),
    domain: z.string().describe('Lower case, in punycode. Subdomains do not count.'),
    role: z.enum(JOINING_ROLES).describe('The role of people who join.'),
    record: z
      .object({ type: z.literal('TXT'), name: z.string(), value: z.string() })
      .describe('The DNS record that proves the domain. Leave it in place.'),
    verified_at: dateTime()
      .nullable()
      .describe('Null until the record is found. Nobody can join before then.'),
    checked_at: dateTime().nullable().describe('When DNS last answered.'),
    version: version(),
    created_at: dateTime(),
  })
  .meta({ id: 'SignInDomain' })
export type SignInDomain = z.output<typeof SignInDomain>

const oneDomain = inWorkspace.extend({ sign_in_domain_id: pathId() })
const path = '/workspaces/{workspace_id}/sign-in-domains'
const common = { tag: 'Workspaces', errors: 'flat' } as const
const role = z.enum(JOINING_ROLES)

export const ListSignInDomains = contract({
  ...common,
  id: 'listSignInDomains',
  method: 'GET',
  path,
  summary: 'List sign-in domains',
  description:
    'People with an address at these domains join the workspace when they sign in with an identity provider.',
  params: inWorkspace,
  query: z.object(paging),
  response: listEnvelope(SignInDomain),
  status: 200,
  scope: 'read',
  role: 'admin',
  refusals: [404],
})

export const CreateSignInDomain = contract({
  ...common,
  id: 'createSignInDomain',
  method: 'POST',
  path,
  summary: 'Add a sign-in domain',
  description:
    'Nobody can join with it until its record is found in DNS. 409 `domain_exists` if it was added already, `sign_in_domains_full` above 20; 422 for mail providers and public suffixes.',
  params: inWorkspace,
  body: z.object({ domain: text(1, 255), role: role.default('member') }),
  response: SignInDomain,
  status: 201,
  scope: 'admin',
  refusals: [404, 409],
  example: { body: { domain: 'example.com', role: 'member' } },
})

export const UpdateSignInDomain = contract({
  ...common,
  id: 'updateSignInDomain',
  method: 'PATCH',
  path: `${path}/{sign_in_domain_id}`,
  summary: 'Change a sign-in domain',
  description: 'The role for people who join from now on.',
  params: oneDomain,
  body: z.object({ role, version: editedVersion() }).partial(),
  response: SignInDomain,
  status: 200,
  scope: 'admin',
  refusals: [404, 409],
})

export const VerifySignInDomain = contract({
  ...common,
  id: 'verifySignInDomain',
  method: 'POST',
  path: `${path}/{sign_in_domain_id}/verify`,
  summary: 'Verify a sign-in domain',
  description:
    'Looks for the record in DNS. 409 `domain_unproven` if it is missing; a verified domain then no longer is. 409 `domain_taken` if another workspace verified it first, 503 `dns_unavailable` if DNS does not answer, which changes nothing.',
  params: oneDomain,
  response: SignInDomain,
  status: 200,
  scope: 'admin',
  refusals: [404, 409, 503],
})

export const DeleteSignInDomain = contract({
  ...common,
  id: 'deleteSignInDomain',
  method: 'DELETE',
  path: `${path}/{sign_in_domain_id}`,
  summary: 'Remove a sign-in domain',
  description: 'Nobody else can join with it. Existing members stay.',
  params: oneDomain,
  response: null,
  status: 204,
  scope: 'admin',
  refusals: [404],
  destructive: true,
})
