import { expect, test } from 'vitest'
import { toFault } from '#lib/providers/mail-oauth/faults'

test.each([
  ['the grant was revoked', { error: 'invalid_grant' }, 'ended'],
  ['a second factor is asked for', { error: 'interaction_required', error_codes: [50076] }, 'ended'],
  ['it idled for 90 days', { error: 'invalid_grant', error_codes: [700082] }, 'ended'],
  [
    'nobody consented',
    { error: 'invalid_grant', suberror: 'consent_required', error_codes: [65001] },
    'admin',
  ],
  ['a policy forbids it', { error: 'invalid_grant', error_codes: [53003] }, 'admin'],
  ['Workspace forbids the app', { error: 'admin_policy_enforced' }, 'admin'],
  ['the secret has run out', { error: 'invalid_client', error_codes: [7000222] }, 'client'],
  ['the scope is unknown', { error: 'invalid_scope' }, 'client'],
  ['the person said no', { error: 'access_denied' }, 'declined'],
  ['the vendor has a bad moment', { error: 'temporarily_unavailable' }, 'unreachable'],
  ['the error is new to us', { error: 'something_else' }, 'unreachable'],
])('%s', (_, refused, fault) => {
  expect(toFault(refused)).toBe(fault)
})
