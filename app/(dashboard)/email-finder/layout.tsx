import { FindEmail } from '#lib/contracts/enrichment/email-finder'
import { SectionLock } from '../section-lock.tsx'

export default function EmailFinderLayout({ children }: LayoutProps<'/email-finder'>) {
  return <SectionLock changes={FindEmail}>{children}</SectionLock>
}
