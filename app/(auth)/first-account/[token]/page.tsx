import type { Metadata } from 'next'
import { AuthCard } from '#components/workspaces/sign-in/auth-card'
import { FirstAccountForm } from '#components/workspaces/sign-in/first-account-form'
import { SpentLink } from '#components/workspaces/sign-in/spent-link'
import { demoHoldsWork } from '#lib/services/workspaces/sign-in/first-account'
import { readLink } from '#lib/services/workspaces/sign-in/one-time-links'
import { makeFirstAccount } from '../../actions.ts'

export const metadata: Metadata = {
  title: 'Create the first account',
  robots: { index: false, follow: false },
  referrer: 'same-origin',
}

/** The first start prints this page's URL: whoever has it owns the instance. */
export default async function FirstAccountPage({ params }: PageProps<'/first-account/[token]'>) {
  const { token } = await params
  if (!(await readLink('first_account', token, new Date())))
    return (
      <SpentLink why="It was already used, or is older than a day. Until an account exists, Opener prints a new one each time it starts." />
    )
  return (
    <AuthCard
      title="Create the first account"
      description="Nobody else can sign in yet. You will sign in with this address."
    >
      <FirstAccountForm make={makeFirstAccount.bind(null, token)} offersDemo={await demoHoldsWork()} />
    </AuthCard>
  )
}
