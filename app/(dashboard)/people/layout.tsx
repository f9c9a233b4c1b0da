import { UpdatePerson } from '#lib/contracts/leads/people'
import { SectionLock } from '../section-lock.tsx'

export default function PeopleLayout({ children }: LayoutProps<'/people'>) {
  return <SectionLock changes={UpdatePerson}>{children}</SectionLock>
}
