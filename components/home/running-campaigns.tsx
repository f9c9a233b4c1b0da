import { CampaignNow } from '#components/campaigns/campaign-now'
import { CampaignProgress } from '#components/campaigns/campaign-progress'
import { CampaignStatus } from '#components/campaigns/campaign-status'
import { Link } from '#components/ui/controls/link'
import { counted } from '#components/ui/counted'
import { Panel } from '#components/ui/layout/panel'
import type { Campaign } from '#lib/contracts/campaigns/campaign'
import type { Explanation } from '#lib/contracts/campaigns/explanations'

type Props = { campaigns: Campaign[]; now: string; whys: Record<string, Explanation> }

export function RunningCampaigns({ campaigns, now, whys }: Props) {
  return (
    <Panel
      title="Running campaigns"
      flush
      action={
        <Link href="/campaigns" className="rounded-xs text-sm text-accent-text hover:underline">
          All campaigns
        </Link>
      }
    >
      {campaigns.length === 0 ? (
        <p className="px-4 py-6 text-sm text-muted">No campaign is running.</p>
      ) : (
        <ul>
          {campaigns.map((campaign) => (
            <li
              key={campaign.campaign_id}
              className="grid items-center gap-x-4 gap-y-2 border-b border-border px-4 py-3 text-sm last:border-0 sm:grid-cols-[minmax(0,1fr)_12rem]"
            >
              <div className="min-w-0">
                <p className="flex flex-wrap items-center gap-2">
                  <Link
                    href={`/campaigns/${campaign.campaign_id}`}
                    data-row-link
                    className="rounded-xs font-medium wrap-anywhere hover:underline"
                  >
                    {campaign.name}
                  </Link>
                  <CampaignStatus status={campaign.status} />
                </p>
                <p className="text-muted">
                  <CampaignNow campaign={campaign} now={now} why={whys[campaign.campaign_id]} />
                </p>
              </div>
              <div>
                <p className="mb-1 text-xs text-muted">
                  {campaign.processed_leads.toLocaleString('en')} of{' '}
                  {counted(campaign.total_leads ?? 0, 'leads')} done
                </p>
                <CampaignProgress campaign={campaign} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
