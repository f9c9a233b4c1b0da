import type { Metadata } from 'next'
import { Panel } from '#components/ui/layout/panel'

export const metadata: Metadata = { title: 'Not sent', robots: { index: false, follow: false } }

/** Does not repeat what was entered, since that came from another website. */
export default function NotSentPage() {
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center px-4 py-10">
      <Panel>
        <h1 className="text-lg font-semibold tracking-tight">The form was not sent</h1>
        <p className="mt-1 text-sm text-pretty text-muted">
          Go back, fill in every required field and one valid email address, and submit it again.
        </p>
      </Panel>
    </main>
  )
}
