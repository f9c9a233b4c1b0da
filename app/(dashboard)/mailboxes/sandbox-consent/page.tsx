import type { Metadata } from 'next'
import { notFound, redirect } from 'next/navigation'
import { SandboxConsent } from '#components/senders/sandbox-consent'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { AuthorizeMailbox } from '#lib/contracts/senders/mailbox-oauth'
import { ReadAccount } from '#lib/contracts/workspaces/account'
import { pathIn, requireUser } from '#lib/http/session'
import { workspaceOfLink } from '#lib/services/senders/grants/links'
import { hasSandbox } from '#lib/services/senders/sandbox'

export const metadata: Metadata = { title: 'Sandbox sign-in', referrer: 'no-referrer' }

const toText = (value: string | string[] | undefined) => (typeof value === 'string' ? value : '')

export default async function SandboxConsentPage({ searchParams }: PageProps<'/mailboxes/sandbox-consent'>) {
  if (!hasSandbox()) notFound()
  const asked = await searchParams
  const { state, code_challenge, login_hint } = asked
  const person = await requireUser(ReadAccount)
  // The page shows the workspace in which the sign-in started.
  const path = `/mailboxes/sandbox-consent?${new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, toText(value)]))}`
  const place = await pathIn(person, {
    path,
    workspace_id: workspaceOfLink(toText(state), person.session_id, new Date()),
  })
  if (place !== path) redirect(place)
  const user = await requireUser(AuthorizeMailbox)
  return (
    <>
      <PageHeader
        title="Sign in to the sandbox"
        description="This is not Google or Microsoft. It stands in for them so you can try connecting a mailbox. Its emails never leave this machine."
      />
      <PageBody>
        <SandboxConsent
          state={toText(state)}
          code_challenge={toText(code_challenge)}
          address={toText(login_hint) || user.email}
          name={user.name ?? ''}
          workspace={user.workspace_name}
        />
      </PageBody>
    </>
  )
}
