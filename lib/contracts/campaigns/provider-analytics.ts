import { z } from 'zod'
import { areInOrder, Rate, WRONG_ORDER } from '#lib/contracts/campaigns/campaign-analytics'
import { AnalyticsFilters } from '#lib/contracts/campaigns/workspace-analytics'
import { contract } from '#lib/contracts/contract'
import { RECIPIENT_PROVIDERS } from '#lib/domain/domains/recipient-provider'

const ProviderAnalytics = z
  .object({
    timezone: z.string(),
    from: z.iso.date(),
    to: z.iso.date(),
    providers: z
      .array(
        z.object({
          provider: z.enum(RECIPIENT_PROVIDERS).describe('`other` includes leads whose provider is unknown.'),
          sent: z.int(),
          contacted: z.int().describe('Leads that were sent an email, each counted once.'),
          replied: z.int(),
          bounced: z.int(),
          deferred: z.int().describe('Times an email was deferred and retried.'),
          unsubscribed: z.int().describe('Complaints are among them.'),
          reply_rate: Rate.describe('Out of leads contacted.'),
          bounce_rate: Rate.describe('Out of emails attempted.'),
        }),
      )
      .describe('Most contacted first, without providers that were sent nothing.'),
  })
  .meta({ id: 'ProviderAnalytics' })
export type ProviderAnalytics = z.output<typeof ProviderAnalytics>

export const ReadProviderAnalytics = contract({
  id: 'readProviderAnalytics',
  method: 'GET',
  path: '/analytics/providers',
  tag: 'Campaigns',
  summary: 'Read analytics by the provider of the recipients',
  description:
    'How Google, Microsoft, Yahoo and other providers treated emails sent from `from` to `to`, based on the current MX of the recipient’s domain. Days and filters work as in `/analytics`.',
  query: AnalyticsFilters.refine(areInOrder, WRONG_ORDER),
  response: ProviderAnalytics,
  status: 200,
  errors: 'flat',
  scope: 'read',
})
