import { CreateCampaign } from '#lib/contracts/campaigns/campaigns'
import { SectionLock } from '../section-lock.tsx'

export default function HomeLayout({ children }: LayoutProps<'/home'>) {
  return <SectionLock changes={CreateCampaign}>{children}</SectionLock>
}
