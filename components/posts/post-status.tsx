import type { ComponentProps } from 'react'
import { StatusPill } from '#components/ui/feedback/status-pill'
import type { SocialPost } from '#lib/contracts/posts/social-posts'

type Look = ComponentProps<typeof StatusPill>

const LOOKS: Record<SocialPost['status'] | 'uncertain', Look> = {
  draft: { tone: 'neutral', mark: 'hollow', label: 'Draft' },
  scheduled: { tone: 'info', mark: 'half', label: 'Scheduled' },
  publishing: { tone: 'accent', mark: 'pulse', label: 'Publishing' },
  uncertain: { tone: 'warning', mark: 'pause', label: 'Uncertain' },
  published: { tone: 'success', mark: 'check', label: 'Published' },
  failed: { tone: 'danger', mark: 'cross', label: 'Failed' },
}

type Shown = Pick<SocialPost, 'status' | 'uncertain'>

export const postLook = ({ status, uncertain }: Shown): Look => LOOKS[uncertain ? 'uncertain' : status]

export const PostStatus = ({ post }: { post: Shown }) => <StatusPill {...postLook(post)} />
