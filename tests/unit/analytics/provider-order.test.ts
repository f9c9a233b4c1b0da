import { expect, test } from 'vitest'
import { PROVIDER_SORTS, sortProviders } from '#components/analytics/provider-table'
import { ReadProviderAnalytics } from '#lib/contracts/campaigns/provider-analytics'

const Row = ReadProviderAnalytics.response.shape.providers.element

const rate = (value: number | null) => ({
  numerator: 0,
  denominator: 0,
  rate: value,
  low: value,
  high: value,
})
const row = (provider: string, sent: number, deferred: number, replied: number | null) =>
  Row.parse({
    provider,
    sent,
    contacted: sent,
    bounced: 0,
    deferred,
    replied: 0,
    unsubscribed: 0,
    reply_rate: rate(replied),
    bounce_rate: rate(0),
  })

const ROWS = [row('microsoft', 10, 1, 0.2), row('google', 100, 2, 0.1), row('other', 0, 0, null)]

test.each([
  [undefined, ['microsoft', 'google', 'other']],
  ['provider', ['google', 'microsoft', 'other']],
  ['-sent', ['google', 'microsoft', 'other']],
  ['sent', ['other', 'microsoft', 'google']],
  // A provider without data is last, in either direction.
  ['replied', ['google', 'microsoft', 'other']],
  ['-replied', ['microsoft', 'google', 'other']],
  // Sorted by the share that the table shows, not by the count.
  ['-deferred', ['microsoft', 'google', 'other']],
  ['deferred', ['google', 'microsoft', 'other']],
])('providers by %s', (sort, providers) => {
  expect(sortProviders(ROWS, sort).map(({ provider }) => provider)).toEqual(providers)
})

test('each heading has its order both ways', () => {
  expect(PROVIDER_SORTS).toHaveLength(14)
})
