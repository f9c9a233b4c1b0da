import type { Metadata } from 'next'
import { Talk } from '#components/assistant/talk'
import { PageHeader } from '#components/ui/layout/page-header'
import { requireUser } from '#lib/http/session'
import { assistantToken } from '../assistant-token.ts'

export const metadata: Metadata = { title: 'Assistant' }

export default async function AssistantPage() {
  await requireUser()
  return (
    // The window's height without a phone's bars, so that the input stays visible.
    <div className="flex h-[calc(100dvh-7rem-env(safe-area-inset-bottom))] flex-col sm:h-dvh">
      <PageHeader
        title="Assistant"
        description="It can read everything you can. It asks before it changes or sends anything."
      />
      <Talk token={assistantToken} beside />
    </div>
  )
}
