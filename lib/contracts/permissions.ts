import { z } from 'zod'
import type { Contract } from '#lib/contracts/contract'
import {
  contains,
  findResource,
  RESOURCES,
  type Resource,
  VERBS,
} from '#lib/domain/workspaces/key-permissions'

export const Permissions = z
  .partialRecord(z.enum(RESOURCES.map(({ name }) => name)), z.enum(VERBS))
  .describe(
    'By resource. `write` includes `read`. Unlisted resources are `none`. An operation needs both its scope and its permission. Null: only scopes apply.',
  )
export type Permissions = z.output<typeof Permissions>

export type Permission = { resource: Resource; verb: 'read' | 'write' }

/** The permission that a restricted key needs for an operation; null if every credential may call it. */
export function permissionFor({ tag, scope }: Pick<Contract, 'tag' | 'scope'>): Permission | null {
  const resource = scope === null ? undefined : findResource(tag)
  return resource ? { resource, verb: scope === 'read' ? 'read' : 'write' } : null
}

/** `permissions` is null for a person, or for a key restricted only by its scopes. */
export function missingPermission(
  permissions: Permissions | null | undefined,
  contract: Pick<Contract, 'tag' | 'scope'>,
): Permission | null {
  const needed = permissions ? permissionFor(contract) : null
  return needed && !contains(permissions?.[needed.resource], needed.verb) ? needed : null
}
