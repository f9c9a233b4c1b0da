import type { Metadata } from 'next'
import { Panel } from '#components/ui/layout/panel'

export const metadata: Metadata = { title: 'Check your inbox', robots: { index: false, follow: false } }

/** The same for everybody, whoever the address belongs to. */
export default function SentPage() {
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center px-4 py-10">
      <Panel>
        <h1 className="text-lg font-semibold tracking-tight">Check your inbox</h1>
        <p className="mt-1 text-sm text-pretty text-muted">
          You will get an email with a link within a few minutes. Open it to confirm your address. If nothing
          arrives, check your spam folder.
        </p>
      </Panel>
    </main>
  )
}
