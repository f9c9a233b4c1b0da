import type { Option } from '#components/ui/controls/select'
import { isRoleEnough, ROLES, type Role } from '#lib/domain/workspaces/roles'

const WORDS: Record<Role, string> = {
  owner: 'Owner: everything, billing too',
  admin: 'Admin: everything but billing',
  member: 'Member: own campaigns, reads the rest',
  viewer: 'Viewer: reads only',
  client: 'Client: only their own account so far',
}

/** The roles that somebody may give: up to their own. */
export const roleOptions = (own: Role): Option[] =>
  ROLES.filter((role) => isRoleEnough(own, role)).map((role) => ({ value: role, label: WORDS[role] }))

export const roleLabel = (role: Role): string => role.charAt(0).toUpperCase() + role.slice(1)
