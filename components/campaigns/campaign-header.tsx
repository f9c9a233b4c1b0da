import { Pause, Play, Rocket } from 'lucide-react'
import { ActionButton } from '#components/ui/action-button'
import { Breadcrumbs } from '#components/ui/breadcrumbs'
import { LinkButton } from '#components/ui/link-button'
import { PageHeader } from '#components/ui/page-header'
import { Tabs } from '#components/ui/tabs'
import type { Campaign } from '#lib/contracts/campaigns'
import { statusAfter } from '#lib/domain/campaign-status'
import { type CampaignActs, CampaignMenu } from './campaign-menu.tsx'
import { CampaignNow } from './campaign-now.tsx'
import { CampaignStatus } from './campaign-status.tsx'

export type CampaignTab = 'overview' | 'sequence' | 'schedule' | 'leads' | 'review'

const TABS: { tab: CampaignTab; label: string }[] = [
  { tab: 'overview', label: 'Overview' },
  { tab: 'sequence', label: 'Sequence' },
  { tab: 'schedule', label: 'Schedule' },
  { tab: 'leads', label: 'Leads' },
  { tab: 'review', label: 'Review & launch' },
]

type Props = { campaign: Campaign; tab: CampaignTab; now: string; acts: CampaignActs }

/** Name, status, the sentence of the moment and one main button; the same over every tab of a campaign. */
export function CampaignHeader({ campaign, tab, now, acts }: Props) {
  const base = `/campaigns/${campaign.campaign_id}`
  const mayLaunch = statusAfter('launch', campaign.status) !== null
  const tabs = TABS.filter((one) => one.tab !== 'review' || mayLaunch).map((one) => ({
    href: one.tab === 'overview' ? base : `${base}/${one.tab}`,
    label: one.label,
    current: one.tab === tab,
    count: one.tab === 'leads' ? (campaign.total_leads ?? undefined) : undefined,
  }))
  return (
    <PageHeader
      above={<Breadcrumbs items={[{ href: '/campaigns', label: 'Campaigns' }]} />}
      title={campaign.name}
      status={<CampaignStatus status={campaign.status} />}
      description={<CampaignNow campaign={campaign} now={now} />}
      actions={
        <>
          <MainAct campaign={campaign} acts={acts} />
          <CampaignMenu campaign={campaign} acts={acts} />
        </>
      }
      below={<Tabs label="Parts of the campaign" tabs={tabs} />}
    />
  )
}

function MainAct({ campaign, acts }: { campaign: Campaign; acts: CampaignActs }) {
  const { campaign_id: id, status } = campaign
  if (status === 'paused') {
    return (
      <ActionButton variant="primary" act={acts.resume.bind(null, id)}>
        <Play aria-hidden /> Resume
      </ActionButton>
    )
  }
  if (statusAfter('launch', status)) {
    return (
      <LinkButton variant="primary" href={`/campaigns/${id}/review`}>
        <Rocket aria-hidden /> Review &amp; launch
      </LinkButton>
    )
  }
  if (!statusAfter('pause', status)) return null
  return (
    <ActionButton act={acts.pause.bind(null, id)}>
      <Pause aria-hidden /> Pause
    </ActionButton>
  )
}
