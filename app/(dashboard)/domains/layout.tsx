import { UpdateDomain } from '#lib/contracts/domains/domains'
import { SectionLock } from '../section-lock.tsx'

export default function DomainsLayout({ children }: LayoutProps<'/domains'>) {
  return <SectionLock changes={UpdateDomain}>{children}</SectionLock>
}
