import { ChevronDown } from 'lucide-react'
import type { Metadata } from 'next'
import { OperationNav } from '#components/reference/operation-nav'
import { Logo } from '#components/shell/logo'
import { Link } from '#components/ui/controls/link'
import { contracts } from '#lib/contracts/all'

export const metadata: Metadata = {
  title: { default: 'API reference', template: '%s · API reference · Opener' },
  description: 'Search every operation and try it with your own key.',
}

const operations = contracts.map(({ id, method, path, summary, tag }) => ({ id, method, path, summary, tag }))

/** The API reference, rendered from the API's own contracts. Public. */
export default function ReferenceLayout({ children }: LayoutProps<'/docs'>) {
  return (
    <>
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-10 focus:m-2 focus:rounded-sm focus:bg-raised focus:px-3 focus:py-2"
      >
        Skip to the content
      </a>
      <header className="sticky top-0 z-10 flex h-12 items-center justify-between gap-4 border-b border-border bg-surface px-4 text-sm sm:px-6">
        <Link href="/docs" className="flex min-w-0 items-center gap-2 font-semibold">
          <Logo />
          API reference
        </Link>
        <nav aria-label="More" className="flex gap-4 text-muted">
          <a href="/api/v1/openapi.json" className="max-sm:hidden hover:text-text">
            OpenAPI
          </a>
          <Link href="/docs/events" className="hover:text-text">
            Webhook events
          </Link>
          <Link href="/home" className="hover:text-text">
            Dashboard
          </Link>
        </nav>
      </header>
      <div className="mx-auto grid max-w-[90rem] lg:grid-cols-[17rem_minmax(0,1fr)]">
        <aside className="border-border p-4 max-lg:border-b lg:sticky lg:top-12 lg:h-[calc(100dvh-3rem)] lg:overflow-y-auto lg:border-r">
          <details className="lg:hidden">
            <summary className="flex min-h-6 cursor-pointer items-center justify-between text-sm font-medium">
              All operations <ChevronDown aria-hidden className="size-4 text-muted" />
            </summary>
            <div className="mt-3">
              <OperationNav operations={operations} />
            </div>
          </details>
          <div className="max-lg:hidden">
            <OperationNav operations={operations} />
          </div>
        </aside>
        <main id="content" className="min-w-0 px-4 py-6 sm:px-8">
          {children}
        </main>
      </div>
    </>
  )
}
