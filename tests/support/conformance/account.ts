import type { Endpoint } from '#tests/support/conformance/endpoint'
import { DOMAIN_SETUP, MAIL_DOMAIN, NOTIFICATION_PREFERENCES } from '#tests/support/conformance/resources'

const USER = {
  workspace_id: 'uuid',
  email: 'string',
  name: 'string',
  tier: 'free|starter|growth|scale',
  credential: 'jwt|api_key',
  scopes: ['read|write|send|admin'],
  created_at: 'date-time',
} as const

async function aDomain(ask: Parameters<NonNullable<Endpoint['arrange']>>[1]) {
  const body = { domain: `conformance-${crypto.randomUUID().slice(0, 8)}.com` }
  const { domain_id } = await (await ask('POST', '/mail/domains', { body })).json()
  return { domain_id }
}

/** The endpoints of the account itself and its mail domains, by their number in the interface document. */
export const account: Record<number, Endpoint> = {
  1: {
    method: 'GET',
    path: '/api-keys',
    status: 200,
    errors: 'legacy',
    arrange: async (_, ask) => {
      await ask('POST', '/api-keys', { body: { name: 'Key' } })
      return {}
    },
    answer: {
      keys: [
        {
          id: 'uuid',
          name: 'string',
          key_prefix: 'string',
          created_at: 'date-time',
          last_used_at: 'date-time?',
        },
      ],
      count: 'integer',
      tier_limit: 'integer',
    },
    holds: { keys: [{ name: 'Key' }], count: 1, tier_limit: 100 },
  },
  2: { method: 'GET', path: '/auth/me', status: 200, errors: 'legacy', answer: USER },
  10: {
    method: 'POST',
    path: '/referral/apply',
    status: 200,
    errors: 'legacy',
    valid: { body: { referral_code: 'nobody-has-this-code' } },
    answer: { applied: 'boolean' },
    holds: { applied: false },
    granted: [{ body: { referral_code: 'x'.repeat(1_000) } }],
    refused: [
      { body: {}, loc: ['body', 'referral_code'] },
      { body: { referral_code: '' }, loc: ['body', 'referral_code'] },
      { body: { referral_code: '  ' }, loc: ['body', 'referral_code'] },
      { body: { referral_code: null }, loc: ['body', 'referral_code'] },
    ],
  },
  16: {
    method: 'GET',
    path: '/mail/domains/{domain_id}/setup',
    status: 200,
    errors: 'legacy',
    arrange: (_, ask) => aDomain(ask),
    answer: DOMAIN_SETUP,
  },
  17: {
    method: 'POST',
    path: '/billing/create-portal-session',
    status: 200,
    errors: 'legacy',
    answer: { url: 'string' },
  },
  19: {
    method: 'GET',
    path: '/mail/domains/{domain_id}',
    status: 200,
    errors: 'legacy',
    arrange: (_, ask) => aDomain(ask),
    answer: MAIL_DOMAIN,
    holds: { status: 'pending' },
  },
  20: {
    method: 'GET',
    path: '/notifications/preferences',
    status: 200,
    errors: 'legacy',
    answer: NOTIFICATION_PREFERENCES,
  },
}
