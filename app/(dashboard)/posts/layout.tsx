import { CreateSocialPost } from '#lib/contracts/posts/social-posts'
import { SectionLock } from '../section-lock.tsx'

export default function PostsLayout({ children }: LayoutProps<'/posts'>) {
  return <SectionLock changes={CreateSocialPost}>{children}</SectionLock>
}
