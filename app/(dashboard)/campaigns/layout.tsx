import { UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { SectionLock } from '../section-lock.tsx'

export default function CampaignsLayout({ children }: LayoutProps<'/campaigns'>) {
  return <SectionLock changes={UpdateCampaign}>{children}</SectionLock>
}
