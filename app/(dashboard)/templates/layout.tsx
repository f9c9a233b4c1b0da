import { UpdateTemplate } from '#lib/contracts/messages/templates'
import { SectionLock } from '../section-lock.tsx'

export default function TemplatesLayout({ children }: LayoutProps<'/templates'>) {
  return <SectionLock changes={UpdateTemplate}>{children}</SectionLock>
}
