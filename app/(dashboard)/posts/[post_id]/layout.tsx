import { WorkLock } from '../../section-lock.tsx'

export default async function PostLayout({ children, params }: LayoutProps<'/posts/[post_id]'>) {
  const { post_id } = await params
  return <WorkLock work={{ name: 'post_id', id: post_id }}>{children}</WorkLock>
}
