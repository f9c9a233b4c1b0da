import type { ReactNode } from 'react'
import { LinkButton } from '#components/ui/controls/link-button'
import { counted } from '#components/ui/counted'
import { Callout } from '#components/ui/feedback/callout'
import { Stat, StatRow } from '#components/ui/feedback/stat'
import { Panel } from '#components/ui/layout/panel'
import { PlotFunnel } from '#components/ui/plots/plot-funnel'
import { RelativeTime } from '#components/ui/relative-time'
import { ZonedTime } from '#components/ui/zoned-time'
import type { Campaign } from '#lib/contracts/campaigns/campaign'
import type { CampaignAnalytics } from '#lib/contracts/campaigns/campaign-analytics'
import type { Explanation } from '#lib/contracts/campaigns/explanations'
import { funnelStages, percent } from '../analytics/funnel.ts'

type Props = {
  campaign: Campaign
  analytics: CampaignAnalytics
  why?: Explanation | undefined
  now: string
  /** When the campaign ends, which requires a forecast. */
  ends: ReactNode
  /** What was sent and what is planned. */
  plan: ReactNode
  activity: ReactNode
  /** Content beside the activity. */
  children: ReactNode
}

/** How a campaign is going: sends, results, plan and end. */
export function CampaignOverview({ campaign, analytics, why, now, ends, plan, activity, children }: Props) {
  const { leads, reply_rate, bounce_rate } = analytics
  return (
    <>
      <Uncertain campaign={campaign} />
      <StatRow>
        <Stat
          label="Sent"
          value={campaign.sent_count.toLocaleString('en')}
          detail={`to ${leads.contacted.toLocaleString('en')} of ${counted(leads.total, 'leads')}`}
        />
        <RateStat label="Replied" rate={reply_rate} noun="contacted" />
        <RateStat label="Bounced" rate={bounce_rate} noun="tried" />
        <NextSend campaign={campaign} why={why} now={now} />
        {ends}
      </StatRow>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        {/* In a single column, results come before the activity. */}
        <div className="grid-cols-[minmax(0,1fr)] gap-4 max-xl:contents xl:grid">
          {plan}
          <div className="max-xl:order-1">{activity}</div>
        </div>
        <div className="grid-cols-[minmax(0,1fr)] gap-4 max-xl:contents xl:grid">
          <Panel>
            <PlotFunnel title="Leads" stages={funnelStages(analytics)} />
          </Panel>
          <div className="grid gap-4 max-xl:order-2">{children}</div>
        </div>
      </div>
    </>
  )
}

function Uncertain({ campaign: { campaign_id, uncertain_count: count } }: Pick<Props, 'campaign'>) {
  if (count === 0) return null
  return (
    <Callout
      tone="warning"
      title={`${count.toLocaleString('en')} ${count === 1 ? 'send is' : 'sends are'} uncertain`}
      action={
        <LinkButton size="sm" href={`/campaigns/${campaign_id}/uncertain`}>
          See which
        </LinkButton>
      }
    >
      The connection broke during the send. {count === 1 ? 'It' : 'They'} may have arrived, so nothing is sent
      again.
    </Callout>
  )
}

function RateStat({
  label,
  rate,
  noun,
}: {
  label: string
  rate: CampaignAnalytics['reply_rate']
  noun: string
}) {
  return (
    <Stat
      label={label}
      value={percent(rate.rate)}
      detail={`${rate.numerator.toLocaleString('en')} of ${rate.denominator.toLocaleString('en')} ${noun}`}
    />
  )
}

function NextSend({ campaign: { timezone, status }, why, now }: Pick<Props, 'campaign' | 'why' | 'now'>) {
  if (status === 'completed') return null
  const at = why?.until
  return (
    <Stat
      label="Next send"
      isText
      value={
        why?.code === 'due_now' ? (
          'Now'
        ) : at ? (
          <RelativeTime at={at} now={now} zone={timezone} isAhead />
        ) : (
          '–'
        )
      }
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
