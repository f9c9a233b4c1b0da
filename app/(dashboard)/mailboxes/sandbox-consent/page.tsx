import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { SandboxConsent } from '#components/senders/sandbox-consent'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { AuthorizeMailbox } from '#lib/contracts/senders/mailbox-oauth'
import { requireUser } from '#lib/http/session'
import { hasSandbox } from '#lib/services/senders/sandbox'

export const metadata: Metadata = { title: 'Sandbox sign-in', referrer: 'no-referrer' }

const toText = (value: string | string[] | undefined) => (typeof value === 'string' ? value : '')

export default async function SandboxConsentPage({ searchParams }: PageProps<'/mailboxes/sandbox-consent'>) {
  const user = await requireUser(AuthorizeMailbox)
  if (!hasSandbox()) notFound()
  const { state, code_challenge, login_hint } = await searchParams
  return (
    <>
      <PageHeader
        title="Sign in at the sandbox"
        description="This is no Google or Microsoft: it stands in for them, so that you can try how connecting works. Its emails never leave this machine."
      />
      <PageBody>
        <SandboxConsent
          state={toText(state)}
          code_challenge={toText(code_challenge)}
          address={toText(login_hint) || user.email}
          name={user.name ?? ''}
        />
      </PageBody>
    </>
  )
}
