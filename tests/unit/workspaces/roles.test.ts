import { expect, test } from 'vitest'
import { contracts } from '#lib/contracts/all'
import { DuplicateCampaign } from '#lib/contracts/campaigns/campaigns'
import { PauseCampaign } from '#lib/contracts/campaigns/lifecycle'
import { campaignRefusal, neededRole, roleRefusal } from '#lib/contracts/workspaces/roles'
import { askFor, canGiveRole, isRoleEnough, RIGHTS, ROLES } from '#lib/domain/workspaces/roles'

test('each role may do all that those after it may', () => {
  for (const [rank, role] of ROLES.entries())
    for (const [other, needed] of ROLES.entries()) expect(isRoleEnough(role, needed)).toBe(rank <= other)
})

test('whoever may change a resource may read it', () => {
  for (const { read, write } of Object.values(RIGHTS)) expect(isRoleEnough(write, read)).toBe(true)
})

test.each([
  ['owner', 'owner', true],
  ['owner', 'client', true],
  ['admin', 'owner', false],
  ['admin', 'admin', true],
  ['admin', 'member', true],
  ['member', 'viewer', false],
  ['viewer', 'client', false],
] as const)('%s gives the role %s: %s', (own, given, may) => {
  expect(canGiveRole(own, given)).toBe(may)
})

test('an owner may do everything, and a viewer changes nothing of the workspace', () => {
  for (const contract of contracts) expect(roleRefusal('owner', contract)).toBeNull()
  const own = ['account', 'notifications', 'assistant']
  for (const contract of contracts) {
    const isPersonal = own.some(
      (part) => contract.path.startsWith(`/${part}`) || contract.path.startsWith('/agent'),
    )
    if (contract.scope === 'read' || contract.scope === null || isPersonal || contract.role === 'client')
      continue
    expect([contract.id, roleRefusal('viewer', contract) !== null]).toEqual([contract.id, true])
  }
})

test('of what belongs to the workspace, a client may ask for results and inbox only', () => {
  const tags = ['Account', 'Auth', 'Meta', 'Workspaces']
  const open = contracts
    .filter(({ scope, tag }) => scope && !tags.includes(tag))
    .filter((contract) => roleRefusal('client', contract) === null)
  expect(open.map(({ id }) => id).toSorted()).toEqual([
    'downloadInboxFile',
    'listInboxThreads',
    'listResults',
    'readCampaignAnalytics',
    'readInboxMessages',
    'readInboxThread',
  ])
  expect(open.every(({ method }) => method === 'GET')).toBe(true)
})

test('a contract names a role of its own only where it differs', () => {
  for (const { role, ...contract } of contracts)
    if (role) expect([contract.id, neededRole(contract)]).not.toEqual([contract.id, role])
})

test('a refusal says whom to ask', () => {
  expect(askFor('admin')).toBe('Ask an admin. This needs the role admin.')
  expect(askFor('owner')).toBe('Ask the owner. This needs the role owner.')
  expect(askFor('member')).toBe('Ask an admin. This needs the role member.')
})

test.each([
  ['viewer', PauseCampaign, true, true],
  ['member', PauseCampaign, true, false],
  ['member', PauseCampaign, false, true],
  ['member', DuplicateCampaign, false, false],
  ['admin', PauseCampaign, false, false],
] as const)('a %s is refused %o of a campaign of their own (%s): %s', (role, contract, isMine, isRefused) => {
  expect(campaignRefusal(role, contract, isMine) !== null).toBe(isRefused)
})
