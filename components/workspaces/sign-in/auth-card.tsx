import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Logo } from '#components/shell/logo'
import { BrandFrame } from '#components/workspaces/branding/brand-frame'
import { BrandMark } from '#components/workspaces/branding/brand-mark'
import type { Branding } from '#lib/contracts/workspaces/branding'
import { SENTENCE } from './introduction.tsx'

type Props = {
  title: string
  description: ReactNode
  children: ReactNode
  below?: ReactNode
  /** Content beside the form, or below it on phones. */
  aside?: ReactNode
  /** The workspace's branding, if the page is not the product's own. */
  branding?: Branding
}

/** The frame of the pages before sign-in. */
export function AuthCard({ title, description, children, below, aside, branding }: Props) {
  return (
    <BrandFrame accent={branding?.accent ?? null}>
      <main
        className={clsx(
          'grid min-h-dvh justify-items-center gap-x-16 gap-y-12 px-4 py-10',
          aside
            ? 'content-center lg:grid-cols-[minmax(0,38rem)_24rem] lg:items-center lg:justify-center'
            : 'items-center',
        )}
      >
        <div className="w-full max-w-sm lg:order-last">
          {branding?.name || branding?.logo_url ? (
            <BrandMark logo_url={branding.logo_url} name={branding.name ?? ''} className="mb-6" />
          ) : (
            <p className="mb-6 flex items-center gap-2.5 font-semibold tracking-tight">
              <Logo className="size-7" /> Opener
            </p>
          )}
          {aside && (
            <p className="mb-6 text-xl font-semibold tracking-tight text-balance lg:hidden">{SENTENCE}</p>
          )}
          <section className="rounded-md border border-border bg-surface p-6">
            <h1 className="text-lg font-semibold tracking-tight">{title}</h1>
            <p className="mt-1 mb-5 text-sm text-muted">{description}</p>
            {children}
          </section>
          {below && <div className="mt-4 text-sm text-muted">{below}</div>}
        </div>
        {aside && <div className="w-full max-w-xl min-w-0 lg:max-w-none">{aside}</div>}
      </main>
    </BrandFrame>
  )
}
