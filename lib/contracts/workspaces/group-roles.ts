import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { editedVersion, id, text, version } from '#lib/contracts/fields'
import { inWorkspace } from '#lib/contracts/workspaces/workspaces'
import { GROUP_ROLES } from '#lib/domain/workspaces/provider-roles'

const groupRoles = z
  .array(z.object({ group: text(1, 256), role: z.enum(GROUP_ROLES) }))
  .max(100)
  .describe('As the provider writes them, upper case included. Of several groups the highest role counts.')
const includesInvited = z
  .boolean()
  .describe('Whether the groups also decide for members whose role was given by hand. Never for owners.')

export const GroupRoles = z
  .object({
    workspace_id: id(),
    claim: z.string().describe('The claim of the ID token that names the groups: `OIDC_GROUPS_CLAIM`.'),
    roles: groupRoles,
    includes_invited: includesInvited,
    version: version(),
  })
  .meta({ id: 'GroupRoles' })
export type GroupRoles = z.output<typeof GroupRoles>

const common = {
  tag: 'Workspaces',
  errors: 'flat',
  params: inWorkspace,
  response: GroupRoles,
  status: 200,
} as const
const path = '/workspaces/{workspace_id}/group-roles'

export const ReadGroupRoles = contract({
  ...common,
  id: 'readGroupRoles',
  method: 'GET',
  path,
  summary: 'Read the roles of groups',
  description: 'Which roles the groups of the identity provider give. Empty: they give none.',
  scope: 'read',
  role: 'admin',
  refusals: [404],
})

export const ReplaceGroupRoles = contract({
  ...common,
  id: 'replaceGroupRoles',
  method: 'PUT',
  path,
  summary: 'Replace the roles of groups',
  description:
    'Holds from the next sign-in of each member. 422 if a group is named twice. Only an owner may: a group can give the role admin.',
  body: z.object({
    roles: groupRoles.refine(
      (roles) => new Set(roles.map(({ group }) => group)).size === roles.length,
      'must name each group once',
    ),
    includes_invited: includesInvited.optional(),
    version: editedVersion().optional(),
  }),
  scope: 'admin',
  role: 'owner',
  refusals: [404, 409],
})
