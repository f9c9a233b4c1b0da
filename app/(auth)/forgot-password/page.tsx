import type { Metadata } from 'next'
import { Link } from '#components/ui/controls/link'
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

/** If the instance cannot send emails, the page says who can help. */
export default async function ForgotPasswordPage({ searchParams }: PageProps<'/forgot-password'>) {
  const { sent } = await searchParams
  if (sent !== undefined)
    return (
      <AuthCard
        title="Check your email"
        description="If an account has that address, we have sent it a link. The link works once, for an hour."
        below={below}
      >
        <p className="text-sm text-pretty">
          Nothing after ten minutes? Check your spam folder and that this is the address you sign in with.
          Then try again.
        </p>
      </AuthCard>
    )
  if (!canMailPeople())
    return (
      <AuthCard
        title="Forgot your password?"
        description="This instance cannot send emails about accounts. Ask its operator for a link."
        below={below}
      >
        <p className="text-sm text-pretty">
          They create it on the server with{' '}
          <code className="font-mono text-xs">npm run reset-password -- your@address</code>. It works once,
          for an hour.
        </p>
      </AuthCard>
    )
  return (
    <AuthCard title="Forgot your password?" description="We email you a link to set a new one." below={below}>
      <ForgotPasswordForm ask={askForReset} />
    </AuthCard>
  )
}
