import type { Metadata } from 'next'
import Link from 'next/link'
import { AuthCard } from '#components/workspaces/sign-in/auth-card'
import { ForgotPasswordForm } from '#components/workspaces/sign-in/forgot-password-form'
import { canMailPeople } from '#lib/services/telling/account-mail'
import { askForReset } from '../actions.ts'

export const metadata: Metadata = { title: 'Forgot your password?' }

const below = (
  <Link href="/sign-in" className="text-accent-text underline">
    Back to sign-in
  </Link>
)

/** Where the instance cannot write to people, it says who can help. */
export default async function ForgotPasswordPage({ searchParams }: PageProps<'/forgot-password'>) {
  const { sent } = await searchParams
  if (sent !== undefined)
    return (
      <AuthCard
        title="Look into your mailbox"
        description="If there is an account with that address, a mail with a link is on its way. It works once, for an hour."
        below={below}
      >
        <p className="text-sm text-pretty">
          Nothing after ten minutes? Look among the junk mail, and whether it was the address you sign in
          with; then ask again.
        </p>
      </AuthCard>
    )
  if (!canMailPeople())
    return (
      <AuthCard
        title="Forgot your password?"
        description="This instance sends no mail about accounts. Ask whoever runs it for a link."
        below={below}
      >
        <p className="text-sm text-pretty">
          They make one on its machine with{' '}
          <code className="font-mono text-xs">npm run reset-password -- your@address</code>. It works once,
          for an hour.
        </p>
      </AuthCard>
    )
  return (
    <AuthCard
      title="Forgot your password?"
      description="We mail you a link under which you set a new one."
      below={below}
    >
      <ForgotPasswordForm ask={askForReset} />
    </AuthCard>
  )
}
