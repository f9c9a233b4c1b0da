import type { ReactNode } from 'react'
import { Logo } from '#components/shell/logo'

type Props = { title: string; description: ReactNode; children: ReactNode; below?: ReactNode }

/** The frame of the pages before the dashboard. */
export function AuthCard({ title, description, children, below }: Props) {
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-10">
      <div className="w-full max-w-sm">
        <p className="mb-6 flex items-center gap-2.5 font-semibold tracking-tight">
          <Logo className="size-7" /> Opener
        </p>
        <section className="rounded-md border border-border bg-surface p-6">
          <h1 className="text-lg font-semibold tracking-tight">{title}</h1>
          <p className="mt-1 mb-5 text-sm text-muted">{description}</p>
          {children}
        </section>
        {below && <div className="mt-4 text-sm text-muted">{below}</div>}
      </div>
    </main>
  )
}
