import { CreateCampaign } from '#lib/contracts/campaigns/campaigns'
import { SectionLock } from '../section-lock.tsx'

/** Sample results can be added where there are none. */
export default function AnalyticsLayout({ children }: LayoutProps<'/analytics'>) {
  return <SectionLock changes={CreateCampaign}>{children}</SectionLock>
}
