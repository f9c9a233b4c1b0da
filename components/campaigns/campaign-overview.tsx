import type { ReactNode } from 'react'
import { LinkButton } from '#components/ui/controls/link-button'
import { Callout } from '#components/ui/feedback/callout'
import { Stat, StatRow } from '#components/ui/feedback/stat'
import { Panel } from '#components/ui/layout/panel'
import { PlotFunnel } from '#components/ui/plots/plot-funnel'
import { RelativeTime, ZonedTime } from '#components/ui/zoned-time'
import type { Campaign } from '#lib/contracts/campaigns/campaigns'
import { Rate } from '../analytics/rate.tsx'
import { CampaignProgress, type LeadCounts } from './campaign-progress.tsx'

type Props = {
  campaign: Campaign
  counts?: LeadCounts
  now: string
  /** What stands beside the figures. */
  children?: ReactNode
}

export function CampaignOverview({ campaign, counts, now, children }: Props) {
  const { sent_count: sent, uncertain_count: uncertain } = campaign
  const total = campaign.total_leads ?? 0
  const begun = counts ? countBegun(counts, total) : total
  return (
    <>
      {uncertain > 0 && (
        <Callout
          tone="warning"
          title={`${uncertain} ${uncertain === 1 ? 'send is' : 'sends are'} uncertain`}
          action={
            <LinkButton size="sm" href={`/campaigns/${campaign.campaign_id}/uncertain`}>
              See which
            </LinkButton>
          }
        >
          The connection broke while they were being sent. They may have arrived, so they are not sent again.
        </Callout>
      )}
      <StatRow>
        <Stat label="Sent" value={sent.toLocaleString('en')} detail={`to ${leadCount(begun)}`} />
        <Stat
          label="Replied"
          value={<Rate count={campaign.replied_count} of={begun} noun="leads begun" />}
          detail={`${campaign.replied_count.toLocaleString('en')} of ${leadCount(begun)} begun`}
        />
        <Stat
          label="Bounced"
          value={<Rate count={campaign.bounced_count} of={begun} noun="leads begun" />}
          detail={`${campaign.bounced_count.toLocaleString('en')} of ${leadCount(begun)} begun`}
        />
        <NextSend campaign={campaign} now={now} />
      </StatRow>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-2">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <Panel title="Leads">
            <CampaignProgress campaign={campaign} counts={counts} legend />
          </Panel>
          {children}
        </div>
        {counts && (
          <Panel>
            <PlotFunnel title="Each lead once" stages={buildStages(counts, total)} />
          </Panel>
        )}
      </div>
    </>
  )
}

const leadCount = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'lead' : 'leads'}`

const countBegun = (counts: LeadCounts, total: number) => total - counts.pending - counts.skipped

function buildStages(counts: LeadCounts, total: number) {
  const begun = countBegun(counts, total)
  const share = (count: number, of: number) => (of === 0 ? '–' : `${((100 * count) / of).toFixed(1)} %`)
  return [
    { label: 'In the campaign', count: total, of: 'leads' },
    { label: 'Begun', count: begun, of: `${share(begun, total)} of all` },
    { label: 'All steps done', count: counts.completed, of: `${share(counts.completed, begun)} of begun` },
    { label: 'Replied', count: counts.replied, of: `${share(counts.replied, begun)} of begun` },
    {
      label: 'Unsubscribed',
      count: counts.unsubscribed,
      of: `${share(counts.unsubscribed, begun)} of begun`,
    },
    { label: 'Bounced', count: counts.bounced, of: `${share(counts.bounced, begun)} of begun` },
  ]
}

function NextSend({ campaign: { next_slot_at: at, timezone }, now }: Pick<Props, 'campaign' | 'now'>) {
  return (
    <Stat
      label="Next send"
      isText
      value={at ? <RelativeTime at={at} now={now} zone={timezone} /> : '–'}
      detail={
        at && (
          <>
            <ZonedTime at={at} zone={timezone} />, {timezone}
          </>
        )
      }
    />
  )
}
