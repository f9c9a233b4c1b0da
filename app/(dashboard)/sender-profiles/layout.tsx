import { UpdateSenderProfile } from '#lib/contracts/messages/sender-profiles'
import { SectionLock } from '../section-lock.tsx'

export default function SenderProfilesLayout({ children }: LayoutProps<'/sender-profiles'>) {
  return <SectionLock changes={UpdateSenderProfile}>{children}</SectionLock>
}
