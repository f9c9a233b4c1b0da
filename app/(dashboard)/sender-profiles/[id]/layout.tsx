import { WorkLock } from '../../section-lock.tsx'

export default async function SenderProfileLayout({
  children,
  params,
}: LayoutProps<'/sender-profiles/[id]'>) {
  const { id } = await params
  return <WorkLock work={{ name: 'sender_profile_id', id: id }}>{children}</WorkLock>
}
