import type { FunnelStage } from '#components/ui/plots/plot-funnel'
import type { CampaignAnalytics } from '#lib/contracts/campaigns/campaign-analytics'

export const percent = (share: number | null): string =>
  share === null ? '–' : `${(100 * share).toFixed(1)} %`

/** Leads by how far they got, each counted once. Every page that shows a funnel uses these figures. */
export function funnelStages({ leads, tracking, from, to }: CampaignAnalytics): FunnelStage[] {
  const { total, contacted } = leads
  const of = (count: number, whole: number, name: string) =>
    whole === 0 ? `of 0 ${name}` : `${percent(count / whole)} of ${name}`
  const tracked = (label: string, sums: CampaignAnalytics['tracking']['opens']): FunnelStage[] =>
    sums?.tracked ? [{ label, count: sums.people, of: of(sums.people, sums.tracked, 'tracked') }] : []
  const ended = (label: string, count: number, tone: FunnelStage['tone']): FunnelStage => ({
    label,
    count,
    of: of(count, contacted, 'contacted'),
    tone,
  })
  return [
    { label: from || to ? 'Attempted in this period' : 'In the campaign', count: total, of: '' },
    { label: 'Contacted', count: contacted, of: of(contacted, total, 'all') },
    ...tracked('Opened', tracking.opens),
    ...tracked('Clicked', tracking.clicks),
    ...(!leads.invited || leads.accepted === null
      ? []
      : [
          { label: 'Invited', count: leads.invited, of: of(leads.invited, total, 'all') },
          {
            label: 'Accepted',
            count: leads.accepted,
            of: of(leads.accepted, leads.invited, 'invited'),
            tone: 'good' as const,
          },
        ]),
    ended('Replied', leads.replied, 'good'),
    ended('Unsubscribed', leads.unsubscribed, 'bad'),
    ended('Bounced', leads.bounced, 'bad'),
    {
      label: from || to ? 'Other outcomes' : 'Still waiting',
      count: leads.waiting,
      of: of(leads.waiting, total, 'all'),
      tone: 'open',
    },
  ]
}
