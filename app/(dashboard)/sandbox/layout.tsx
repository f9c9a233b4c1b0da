import { AnswerSandboxMessage } from '#lib/contracts/sandbox/sandbox'
import { SectionLock } from '../section-lock.tsx'

export default function SandboxLayout({ children }: LayoutProps<'/sandbox'>) {
  return <SectionLock changes={AnswerSandboxMessage}>{children}</SectionLock>
}
