import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { connection } from 'next/server'
import { ConfirmForm } from '#components/leads/forms/confirm-form'
import { Panel } from '#components/ui/layout/panel'
import { readConfirmation } from '#lib/services/leads/forms/confirmation'

export const metadata: Metadata = {
  title: 'Confirm your address',
  robots: { index: false, follow: false },
  referrer: 'no-referrer',
}

/** Opening the page changes nothing, because mail scanners open every link. */
export default async function ConfirmPage({ params }: PageProps<'/forms/confirm/[token]'>) {
  await connection()
  const { token } = await params
  const entry = await readConfirmation(token, new Date())
  if (!entry) notFound()
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center px-4 py-10">
      {entry.is_confirmed ? (
        <Panel>
          <h1 className="text-lg font-semibold tracking-tight">Your address is confirmed</h1>
          <p className="mt-1 text-sm text-pretty text-muted">
            Thank you. <span className="text-text wrap-anywhere">{entry.email}</span> is on the list. You can
            close this page.
          </p>
        </Panel>
      ) : (
        <ConfirmForm entry={entry} action={`/forms/confirm/${token}/submit`} />
      )}
    </main>
  )
}
