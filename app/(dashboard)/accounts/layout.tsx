import { UpdateConnectedAccount } from '#lib/contracts/senders/connected-accounts'
import { SectionLock } from '../section-lock.tsx'

export default function AccountsLayout({ children }: LayoutProps<'/accounts'>) {
  return <SectionLock changes={UpdateConnectedAccount}>{children}</SectionLock>
}
