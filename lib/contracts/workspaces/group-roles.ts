import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { editedVersion, id, text, version } from '#lib/contracts/fields'
import { inWorkspace } from '#lib/contracts/workspaces/workspaces'
import { GROUP_ROLES } from '#lib/domain/workspaces/provider-roles'

const groupRoles = z
  .array(z.object({ group: text(1, 256), role: z.enum(GROUP_ROLES) }))
  .max(100)
  .describe('As the provider writes them, case-sensitive. With several groups, the highest role wins.')
const includesInvited = z
  .boolean()
  .describe('Whether groups also apply to members whose role was set manually. Never to owners.')

export const GroupRoles = z
  .object({
    workspace_id: id(),
    claim: z.string().describe('The ID token claim with the groups: `OIDC_GROUPS_CLAIM`.'),
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
  summary: 'Read group roles',
  description: 'The roles given by identity provider groups. Empty: none.',
  scope: 'read',
  role: 'admin',
  refusals: [404],
})

export const ReplaceGroupRoles = contract({
  ...common,
  id: 'replaceGroupRoles',
  method: 'PUT',
  path,
  summary: 'Replace group roles',
  description:
    'Applies from each member’s next sign-in. 422 if a group is listed twice. Owners only, because a group can give the role admin.',
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
