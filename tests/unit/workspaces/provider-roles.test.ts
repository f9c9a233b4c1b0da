import { expect, test } from 'vitest'
import {
  type GroupRole,
  type GroupRules,
  type RoleHeld,
  readGroups,
  roleAfterSignIn,
} from '#lib/domain/workspaces/provider-roles'
import { ROLES, type Role } from '#lib/domain/workspaces/roles'

const roles: GroupRole[] = [
  { group: 'leads', role: 'admin' },
  { group: 'sales', role: 'member' },
]
const rules: GroupRules = { roles, includes_invited: false }
const all: GroupRules = { roles, includes_invited: true }
const byHand = (role: Role): RoleHeld => ({ role, role_from: 'hand' })
const byProvider = (role: Role): RoleHeld => ({ role, role_from: 'provider' })

test.each<[RoleHeld, GroupRules, string[], Role | null, RoleHeld]>([
  [byProvider('member'), rules, ['leads'], 'member', byProvider('admin')],
  [byProvider('admin'), rules, ['sales'], 'member', byProvider('member')],
  [byProvider('viewer'), rules, ['sales', 'leads'], 'viewer', byProvider('admin')],
  [byProvider('admin'), rules, [], 'member', byProvider('member')],
  [byProvider('admin'), rules, ['others'], null, byProvider('viewer')],
  [byProvider('admin'), { ...rules, roles: [] }, ['leads'], 'member', byProvider('member')],
  [byHand('admin'), { ...all, roles: [] }, ['leads'], 'member', byHand('admin')],
  [byProvider('member'), rules, ['Leads', 'leads '], 'viewer', byProvider('viewer')],
  [byHand('viewer'), rules, ['leads'], 'member', byHand('viewer')],
  [byHand('admin'), rules, [], null, byHand('admin')],
  [byHand('viewer'), all, ['leads'], 'member', byProvider('admin')],
  [byHand('client'), all, ['others'], 'member', byHand('client')],
])('%j under %j with %j becomes as said', (held, given, groups, domainRole, next) => {
  expect(roleAfterSignIn(held, given, groups, domainRole)).toEqual(next)
})

test('nobody becomes an owner by a group, and no owner is anything else by one', () => {
  for (const held of ROLES.flatMap((role) => [byHand(role), byProvider(role)]))
    for (const given of [rules, all])
      for (const groups of [[], ['leads'], ['sales'], ['owner'], ['leads', 'sales']])
        for (const domainRole of ['member', 'viewer', null] as const) {
          const next = roleAfterSignIn(held, given, groups, domainRole)
          expect(next.role === 'owner').toBe(held.role === 'owner')
        }
})

test.each<[unknown, string[] | null]>([
  [
    ['a', 'b'],
    ['a', 'b'],
  ],
  [[], []],
  ['a', ['a']],
  ['', []],
  [undefined, []],
  [null, []],
  [
    ['a', 'a', 'b'],
    ['a', 'a', 'b'],
  ],
  [{ a: 1 }, null],
  [['a', 1], null],
  [['a', ['b']], null],
  // Names that no rule can contain are dropped; a user with such a group in the provider must not keep a role by it.
  [['a', 'x'.repeat(257), ''], ['a']],
])('the claim %j names the groups %j', (value, groups) => {
  expect(readGroups({ groups: value, other: ['z'] }, 'groups')).toEqual(groups)
})

test('a claim is looked for under its own name alone', () => {
  expect(readGroups({ 'https://example.com/groups': ['a'] }, 'https://example.com/groups')).toEqual(['a'])
  expect(readGroups({}, 'constructor')).toEqual([])
})

test('of a hundred thousand groups each is read', () => {
  const many = Array.from({ length: 100_000 }, (_, at) => `g${at}`)
  expect(readGroups({ groups: [...many, 'leads'] }, 'groups')?.at(-1)).toBe('leads')
})

test.each([
  { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://graph.example.com' } } },
  { hasgroups: true },
])('a claim that was left out because it was too long says nothing: %j', (claims) => {
  expect(readGroups(claims, 'groups')).toBeNull()
  expect(readGroups({ ...claims, roles: ['a'] }, 'roles')).toEqual(['a'])
})
