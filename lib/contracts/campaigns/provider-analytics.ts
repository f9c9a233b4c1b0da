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
          provider: z
            .enum(RECIPIENT_PROVIDERS)
            .describe('`other` has those whose provider is not known, too.'),
          sent: z.int(),
          contacted: z.int().describe('Leads that were sent an email, each once.'),
          replied: z.int(),
          bounced: z.int(),
          deferred: z.int().describe('Times that an email was refused for now, and tried again.'),
          unsubscribed: z.int().describe('Complaints are among them.'),
          reply_rate: Rate.describe('Of the leads contacted.'),
          bounce_rate: Rate.describe('Of the emails that were tried.'),
        }),
      )
      .describe('Most contacted first; without those that were sent nothing.'),
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
    'What Google, Microsoft, Yahoo and everybody else made of the emails that were sent from `from` to `to`, by the MX of the recipient’s domain as it is known now. Days and filters are those of `/analytics`.',
  query: AnalyticsFilters.refine(areInOrder, WRONG_ORDER),
  response: ProviderAnalytics,
  status: 200,
  errors: 'flat',
  scope: 'read',
})
