import type { Metadata } from 'next'
import { Talk } from '#components/assistant/talk'
import { PageHeader } from '#components/ui/page-header'
import { requireUser } from '#lib/http/session'
import { assistantToken } from '../assistant-token.ts'

export const metadata: Metadata = { title: 'Assistant' }

export default async function AssistantPage() {
  await requireUser()
  return (
    <>
      <PageHeader
        title="Assistant"
        description="Reads freely, with your rights. Before it changes or sends anything it asks."
      />
      <div className="mx-auto flex h-[calc(100dvh-9rem)] max-w-3xl flex-col">
        <Talk token={assistantToken} />
      </div>
    </>
  )
}
