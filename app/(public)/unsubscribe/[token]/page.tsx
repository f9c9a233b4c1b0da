import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { connection } from 'next/server'
import { SenderGone } from '#components/leads/sender-gone'
import { UnsubscribeForm } from '#components/leads/unsubscribe-form'
import { Unsubscribed } from '#components/leads/unsubscribed'
import { readUnsubscribe } from '#lib/services/leads/unsubscribes'

export const metadata: Metadata = {
  title: 'Unsubscribe',
  robots: { index: false, follow: false },
  referrer: 'no-referrer',
}

/** Opening the page changes nothing, because mail scanners open every link. */
export default async function UnsubscribePage({ params }: PageProps<'/unsubscribe/[token]'>) {
  await connection()
  const { token } = await params
  const link = await readUnsubscribe(token)
  if (!link) notFound()
  if (link === 'sender_gone') return <SenderGone />
  const action = `/unsubscribe/${token}`
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center px-4 py-10">
      {link.is_unsubscribed ? (
        <Unsubscribed {...link} action={action} />
      ) : (
        <UnsubscribeForm {...link} action={action} />
      )}
    </main>
  )
}
