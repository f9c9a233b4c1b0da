import { expect, test } from 'vitest'
import {
  type IdentityClaims,
  isOfManyTenants,
  readIdentityClaims,
} from '#lib/domain/workspaces/identity-claims'

const ISSUER = 'https://id.example'
const TENANT = 'https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0'
type Provider = 'google' | 'microsoft' | 'oidc'

test.each<[what: string, provider: Provider, claims: IdentityClaims, vouched: string | undefined]>([
  ['Google, its own address', 'google', { email: 'A@Gmail.com', email_verified: true }, 'a@gmail.com'],
  [
    'Google, of a Workspace',
    'google',
    { email: 'a@corp.example', email_verified: true, hd: 'corp.example' },
    'a@corp.example',
  ],
  [
    'Google, an address hosted elsewhere',
    'google',
    { email: 'a@corp.example', email_verified: true },
    undefined,
  ],
  ['Google, not verified', 'google', { email: 'a@gmail.com', email_verified: false }, undefined],
  ['Microsoft, whatever a tenant wrote', 'microsoft', { email: 'ceo@victim.example' }, undefined],
  [
    'Microsoft, said to be verified by a claim that it does not have',
    'microsoft',
    { email: 'ceo@victim.example', email_verified: true },
    undefined,
  ],
  [
    'Microsoft, a domain of the tenant',
    'microsoft',
    { email: 'a@corp.example', xms_edov: true },
    'a@corp.example',
  ],
  [
    'Microsoft, the same as a number in a string',
    'microsoft',
    { email: 'a@corp.example', xms_edov: '1' },
    'a@corp.example',
  ],
  ['Microsoft, not of the tenant', 'microsoft', { email: 'a@corp.example', xms_edov: '0' }, undefined],
  ['one’s own, verified', 'oidc', { email: 'a@corp.example', email_verified: true }, 'a@corp.example'],
  ['one’s own, not verified', 'oidc', { email: 'a@corp.example' }, undefined],
  ['one’s own, verified in words', 'oidc', { email: 'a@corp.example', email_verified: 'true' }, undefined],
])('%s', (_, provider, claims, vouched) => {
  const facts = readIdentityClaims(provider, ISSUER, { iss: TENANT, sub: 's', ...claims })
  expect([facts?.email, facts?.said_email]).toEqual([vouched, String(claims.email).toLowerCase()])
})

test.each([
  ['https://login.microsoftonline.com/common/v2.0', true],
  ['https://login.microsoftonline.com/organizations/v2.0/', true],
  ['https://LOGIN.microsoftonline.com/Consumers', true],
  [TENANT, false],
  ['https://login.microsoftonline.com/commons/v2.0', false],
  ['https://login.microsoftonline.com.evil.example/common/v2.0', false],
  [ISSUER, false],
] as const)(
  '%s stands for many tenants: %s; of those a word of one’s own provider is not enough',
  (issuer, many) => {
    expect(isOfManyTenants(issuer)).toBe(many)
    const claims = { sub: 's', email: 'a@corp.example', email_verified: true }
    expect(readIdentityClaims('oidc', issuer, claims)?.email).toBe(many ? undefined : 'a@corp.example')
    const shown = { ...claims, xms_edov: true }
    expect(readIdentityClaims('oidc', issuer, shown)?.email).toBe('a@corp.example')
  },
)

test('people of two Microsoft tenants are two people, whatever their subject is', () => {
  const issuerOf = (iss: string) => readIdentityClaims('microsoft', ISSUER, { iss, sub: 's' })?.issuer
  expect(issuerOf(TENANT)).toBe(TENANT)
  expect(issuerOf('https://login.microsoftonline.com/other/v2.0')).not.toBe(TENANT)
})

test.each<[Provider, IdentityClaims]>([
  ['oidc', { email: 'a@b.example', email_verified: true }],
  ['oidc', { sub: '' }],
  ['oidc', { sub: 7 }],
  ['microsoft', { sub: 's' }],
])('nobody is named by %s %j', (provider, claims) => {
  expect(readIdentityClaims(provider, ISSUER, claims)).toBeNull()
})
