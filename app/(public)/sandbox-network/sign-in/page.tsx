import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { connection } from 'next/server'
import { SandboxSignIn } from '#components/senders/sandbox-sign-in'
import { pathOfBrowser } from '#lib/http/session'
import { backFromSandbox, readSandboxSignIn, SANDBOX_KINDS } from '#lib/services/sandbox/network'
import { hasSandbox } from '#lib/services/senders/sandbox'
import { signIn } from './actions.ts'

export const metadata: Metadata = {
  title: 'Sandbox network',
  robots: { index: false, follow: false },
  referrer: 'no-referrer',
}

const toText = (value: string | string[] | undefined) => (typeof value === 'string' ? value : '')

export default async function SandboxSignInPage({ searchParams }: PageProps<'/sandbox-network/sign-in'>) {
  await connection()
  if (!hasSandbox()) notFound()
  const query = await searchParams
  const [state, back] = [toText(query.state), toText(query.back)]
  const account = toText(query.account) || null
  const open = await readSandboxSignIn(state, account, new Date())
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center gap-4 px-4 py-10">
      <SandboxSignIn
        network={open?.network ?? null}
        known={open?.known ? { name: open.known.name, kind: open.known.kind } : null}
        kinds={[...SANDBOX_KINDS]}
        approve={signIn.bind(null, { state, account, back })}
        denied={await pathOfBrowser(backFromSandbox(back, true))}
      />
    </main>
  )
}
