import type { Resource } from '#lib/domain/workspaces/key-permissions'

/** Each role may do everything that the roles after it may do. */
export const ROLES = ['owner', 'admin', 'member', 'viewer', 'client'] as const
export type Role = (typeof ROLES)[number]

type Rights = { read: Role; write: Role }

/**
 * The least role that may read a resource, and the least that may change it. A contract with its own `role` overrides this, such
 * as those about the caller (their password, their sessions), which every role may call.
 */
export const RIGHTS = {
  campaigns: { read: 'viewer', write: 'member' },
  datasets: { read: 'viewer', write: 'member' },
  people: { read: 'viewer', write: 'member' },
  templates: { read: 'viewer', write: 'member' },
  sender_profiles: { read: 'viewer', write: 'member' },
  personalization: { read: 'viewer', write: 'member' },
  email_finder: { read: 'viewer', write: 'member' },
  inbox: { read: 'viewer', write: 'member' },
  suppressions: { read: 'viewer', write: 'member' },
  mailboxes: { read: 'viewer', write: 'admin' },
  domains: { read: 'viewer', write: 'admin' },
  connected_accounts: { read: 'viewer', write: 'admin' },
  social_posts: { read: 'viewer', write: 'member' },
  webhooks: { read: 'admin', write: 'admin' },
  notifications: { read: 'viewer', write: 'viewer' },
  search: { read: 'viewer', write: 'member' },
  assistant: { read: 'viewer', write: 'viewer' },
  billing: { read: 'admin', write: 'owner' },
  api_keys: { read: 'admin', write: 'admin' },
  account: { read: 'client', write: 'client' },
  workspace: { read: 'viewer', write: 'admin' },
  sandbox: { read: 'viewer', write: 'member' },
} as const satisfies Record<Resource, Rights>

/** Whether `role` is at least `needed`. */
export const isRoleEnough = (role: Role, needed: Role): boolean =>
  ROLES.indexOf(role) <= ROLES.indexOf(needed)

/** Roles that may answer in the inbox, and so can be assigned a conversation. */
export const ANSWERING_ROLES: Role[] = ROLES.filter((role) => isRoleEnough(role, RIGHTS.inbox.write))

/** Roles that see notes on conversations; clients do not. */
export const NOTED_ROLES: Role[] = ROLES.filter((role) => isRoleEnough(role, 'viewer'))

export const deletesNote = (user: { user_id: string; role: Role }, authorId: string | null): boolean =>
  user.user_id === authorId || isRoleEnough(user.role, 'admin')

/** Nobody may give, remove or change a role above their own. */
export const canGiveRole = (own: Role, given: Role): boolean =>
  isRoleEnough(own, 'admin') && isRoleEnough(own, given)

/** The roles that a key may have. A client's campaigns are selected for a person, not for a key. */
export const KEY_ROLES = ['owner', 'admin', 'member', 'viewer'] as const satisfies Role[]

/** The effective role of a key: no more than its own, and no more than its maker's current one. */
export const roleOfKey = (maker: Role, own: Role | null): Role =>
  own && isRoleEnough(maker, own) ? own : maker

/** The roles that a person may give. */
export const givenBy = (own: Role): Role[] => ROLES.filter((role) => canGiveRole(own, role))

/** The text for a person whose role does not suffice: whom to ask, and for what. */
export const askFor = (needed: Role): string =>
  `Ask ${needed === 'owner' ? 'the owner' : 'an admin'}. This needs the role ${needed}.`

/** Members change what they made; higher roles change everybody's work. */
export const changesOwnOnly = (role: Role): boolean => role === 'member'

/** Clients see only the campaigns that were shared with them. */
export const seesChosenOnly = (role: Role): boolean => role === 'client'
