import { AddSuppressions } from '#lib/contracts/leads/suppressions'
import { SectionLock } from '../section-lock.tsx'

export default function SuppressionsLayout({ children }: LayoutProps<'/suppressions'>) {
  return <SectionLock changes={AddSuppressions}>{children}</SectionLock>
}
