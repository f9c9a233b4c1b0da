import type { Option } from '#components/ui/controls/select'
import { capital } from '#lib/domain/text/capital'
import { canGiveRole, ROLES, type Role } from '#lib/domain/workspaces/roles'

const WORDS: Record<Role, string> = {
  owner: 'Owner: everything, including billing',
  admin: 'Admin: everything except billing',
  member: 'Member: own campaigns, can view the rest',
  viewer: 'Viewer: reads only',
  client: 'Client: results and inbox of selected campaigns',
}

/** The roles a user may grant, up to their own, and the one already granted. */
export const roleOptions = (own: Role, given: Role | null = null): Option[] =>
  ROLES.filter((role) => role === given || canGiveRole(own, role)).map((role) => ({
    value: role,
    label: WORDS[role],
  }))

export const roleLabel = (role: Role): string => capital(role)
