import { CreateCampaign } from '#lib/contracts/campaigns/campaigns'
import { SectionLock } from '../section-lock.tsx'

/** Offers sample results if there are none. */
export default function AnalyticsLayout({ children }: LayoutProps<'/analytics'>) {
  return <SectionLock changes={CreateCampaign}>{children}</SectionLock>
}
