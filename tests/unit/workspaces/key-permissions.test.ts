import { expect, test } from 'vitest'
import { contracts } from '#lib/contracts/all'
import type { Scope } from '#lib/contracts/contract'
import { missingPermission, type Permissions, permissionFor } from '#lib/contracts/permissions'
import { ALWAYS, RESOURCES } from '#lib/domain/workspaces/key-permissions'

const always: readonly string[] = ALWAYS

test('every contract belongs to exactly one resource, but for those that every credential may ask', () => {
  for (const { id, tag, scope } of contracts) {
    const owners = RESOURCES.filter(({ tags }) => tags.some((one) => one === tag))
    expect([id, owners.length]).toEqual([id, always.includes(tag) ? 0 : 1])
    expect([id, permissionFor({ tag, scope }) === null]).toEqual([id, always.includes(tag)])
  }
})

test('every resource has a contract', () => {
  const tags = new Set<string>(contracts.map(({ tag }) => tag))
  for (const tag of [...RESOURCES.flatMap(({ tags }) => [...tags]), ...ALWAYS]) expect(tags).toContain(tag)
})

test('what only reads needs the verb read, all else write', () => {
  for (const { method, tag, scope } of contracts) {
    const needed = permissionFor({ tag, scope })
    if (needed?.verb === 'read') expect(scope).toBe('read')
    if (needed && method !== 'GET' && method !== 'POST') expect(needed.verb).toBe('write')
  }
})

test.each([
  [null, 'write', null],
  [undefined, 'write', null],
  [{}, 'read', 'read'],
  [{ campaigns: 'none' }, 'read', 'read'],
  [{ campaigns: 'read' }, 'read', null],
  [{ campaigns: 'read' }, 'write', 'write'],
  [{ campaigns: 'read' }, 'send', 'write'],
  [{ campaigns: 'write' }, 'read', null],
  [{ campaigns: 'write' }, 'send', null],
  [{ templates: 'write' }, 'read', 'read'],
] satisfies [Permissions | null | undefined, Scope, string | null][])(
  '%o at an operation of campaigns with scope %s lacks %s',
  (permissions, scope, verb) => {
    const missing = missingPermission(permissions, { tag: 'Campaigns', scope })
    expect(missing).toEqual(verb && { resource: 'campaigns', verb })
  },
)
