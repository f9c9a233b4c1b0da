import { WorkLock } from '../../section-lock.tsx'

export default async function CampaignLayout({ children, params }: LayoutProps<'/campaigns/[campaign_id]'>) {
  const { campaign_id } = await params
  return <WorkLock work={{ name: 'campaign_id', id: campaign_id }}>{children}</WorkLock>
}
