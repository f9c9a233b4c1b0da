import { Pause, Play, Rocket } from 'lucide-react'
import type { ReactNode } from 'react'
import { STEPS_BACK } from '#components/drafts/save-row'
import { ActionButton } from '#components/ui/controls/action-button'
import { LinkButton } from '#components/ui/controls/link-button'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageHeader } from '#components/ui/layout/page-header'
import { Tabs } from '#components/ui/layout/tabs'
import type { Campaign } from '#lib/contracts/campaigns/campaign'
import type { Explanation } from '#lib/contracts/campaigns/explanations'
import { statusAfter } from '#lib/domain/campaigns/campaign-status'
import { type CampaignActs, CampaignMenu } from './campaign-menu.tsx'
import { CampaignNow } from './campaign-now.tsx'
import { CampaignStatus, mayLaunch } from './campaign-status.tsx'

export type CampaignTab =
  | 'overview'
  | 'results'
  | 'leads'
  | 'sequence'
  | 'schedule'
  | 'review'
  | 'uncertain'
  | 'settings'

const TABS: { tab: CampaignTab; label: string }[] = [
  { tab: 'overview', label: 'Overview' },
  { tab: 'results', label: 'Results' },
  { tab: 'leads', label: 'Leads' },
  { tab: 'sequence', label: 'Sequence' },
  { tab: 'schedule', label: 'Schedule' },
  { tab: 'review', label: 'Review & launch' },
  { tab: 'uncertain', label: 'Uncertain' },
  { tab: 'settings', label: 'Settings' },
]

type Props = {
  campaign: Campaign
  tab: CampaignTab
  now: string
  acts: CampaignActs
  /** The owner's name, if it is not the user. */
  owner?: string | null
  why?: Explanation | undefined
  /** Content before the main button. */
  also?: ReactNode
}

/** Hides tabs that have no content before, or after, a launch. */
function isShown(tab: CampaignTab, campaign: Campaign): boolean {
  const { launched_at, uncertain_count } = campaign
  if (tab === 'review') return mayLaunch(campaign)
  if (tab === 'uncertain') return uncertain_count > 0
  return launched_at !== null || (tab !== 'results' && tab !== 'leads')
}

/** Name, status, current activity and one main button; the same on every tab of a campaign. */
export function CampaignHeader({ campaign, tab, now, acts, owner, why, also }: Props) {
  const base = `/campaigns/${campaign.campaign_id}`
  const tabs = TABS.filter((one) => one.tab === tab || isShown(one.tab, campaign)).map((one) => ({
    href: one.tab === 'overview' ? base : `${base}/${one.tab}`,
    label: one.label,
    current: one.tab === tab,
    count: tabCount(one.tab, campaign),
  }))
  return (
    <PageHeader
      above={<Breadcrumbs items={[{ href: '/campaigns', label: 'Campaigns' }]} />}
      title={campaign.name}
      status={<CampaignStatus status={campaign.status} />}
      description={
        <>
          <CampaignNow campaign={campaign} now={now} why={why} />
          {owner && ` Owner: ${owner}.`}
        </>
      }
      actions={
        <>
          {also}
          <MainAct campaign={campaign} tab={tab} acts={acts} />
          <CampaignMenu campaign={campaign} acts={acts} />
        </>
      }
      below={<Tabs label="Campaign sections" tabs={tabs} />}
    />
  )
}

const tabCount = (tab: CampaignTab, { total_leads, uncertain_count }: Campaign) =>
  tab === 'leads' ? (total_leads ?? undefined) : tab === 'uncertain' ? uncertain_count : undefined

type ActProps = { campaign: Campaign; tab: CampaignTab; acts: CampaignActs }

function MainAct({ campaign, tab, acts }: ActProps) {
  const { campaign_id: id, status } = campaign
  if (status === 'paused') {
    return (
      <ActionButton variant="primary" className={STEPS_BACK} act={acts.resume.bind(null, id)}>
        <Play aria-hidden /> Resume
      </ActionButton>
    )
  }
  if (mayLaunch(campaign)) {
    // On that tab the launch itself is the main button.
    if (tab === 'review') return null
    return (
      <LinkButton variant="primary" className={STEPS_BACK} href={`/campaigns/${id}/review`}>
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
