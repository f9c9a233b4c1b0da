import type { Metadata } from 'next'
import { Talk } from '#components/assistant/talk'
import { PageHeader } from '#components/ui/layout/page-header'
import { requireUser } from '#lib/http/session'
import { assistantToken } from '../assistant-token.ts'

export const metadata: Metadata = { title: 'Assistant' }

export default async function AssistantPage() {
  await requireUser()
  return (
    // As high as the window less what a phone has above and below it, so that the words to send are always in sight.
    <div className="flex h-[calc(100dvh-7rem-env(safe-area-inset-bottom))] flex-col sm:h-dvh">
      <PageHeader
        title="Assistant"
        description="It can read everything you can. It asks before it changes or sends anything."
      />
      <Talk token={assistantToken} beside />
    </div>
  )
}
