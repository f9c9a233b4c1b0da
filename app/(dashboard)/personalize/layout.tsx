import { Personalize } from '#lib/contracts/personalize/personalize'
import { SectionLock } from '../section-lock.tsx'

export default function PersonalizeLayout({ children }: LayoutProps<'/personalize'>) {
  return <SectionLock changes={Personalize}>{children}</SectionLock>
}
