import { UpdateMailbox } from '#lib/contracts/senders/mailboxes'
import { SectionLock } from '../section-lock.tsx'

export default function MailboxesLayout({ children }: LayoutProps<'/mailboxes'>) {
  return <SectionLock changes={UpdateMailbox}>{children}</SectionLock>
}
