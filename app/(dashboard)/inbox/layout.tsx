import { UpdateInboxThread } from '#lib/contracts/inbox/inbox'
import { SectionLock } from '../section-lock.tsx'

export default function InboxLayout({ children }: LayoutProps<'/inbox'>) {
  return <SectionLock changes={UpdateInboxThread}>{children}</SectionLock>
}
