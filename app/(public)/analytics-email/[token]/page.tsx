import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { connection } from 'next/server'
import { Button } from '#components/ui/controls/button'
import { Panel } from '#components/ui/layout/panel'
import { readAnalyticsEmail } from '#lib/services/telling/analytics-emails'

export const metadata: Metadata = {
  title: 'Analytics by email',
  robots: { index: false, follow: false },
  referrer: 'no-referrer',
}

/** Opening the page changes nothing, because mail scanners open every link. */
export default async function AnalyticsEmailPage({ params }: PageProps<'/analytics-email/[token]'>) {
  await connection()
  const { token } = await params
  const link = await readAnalyticsEmail(token)
  if (!link) notFound()
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center px-4 py-10">
      <Panel>
        <h1 className="text-lg font-semibold tracking-tight">
          {link.comes ? 'Stop these emails?' : 'You will get no more of these emails'}
        </h1>
        <p className="mt-1 text-sm text-pretty text-muted">
          {link.comes
            ? 'You will no longer get this workspace’s analytics by email.'
            : 'Turn them back on any time under Settings → Notifications.'}
        </p>
        {link.comes && (
          <form method="post" action={`/analytics-email/${token}`} className="mt-5 grid">
            <input type="hidden" name="intent" value="stop" />
            <Button type="submit" variant="primary" size="lg">
              Stop
            </Button>
          </form>
        )}
      </Panel>
    </main>
  )
}
