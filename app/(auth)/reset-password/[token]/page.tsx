import type { Metadata } from 'next'
import { AuthCard } from '#components/workspaces/sign-in/auth-card'
import { NewPasswordForm } from '#components/workspaces/sign-in/new-password-form'
import { SpentLink } from '#components/workspaces/sign-in/spent-link'
import { canMailPeople } from '#lib/services/telling/account-mail'
import { readLink } from '#lib/services/workspaces/sign-in/one-time-links'
import { resetPassword } from '../../actions.ts'

export const metadata: Metadata = {
  title: 'Set a new password',
  robots: { index: false, follow: false },
  referrer: 'same-origin',
}

/** Linked from an email or printed by `npm run reset-password`. */
export default async function ResetPasswordPage({ params }: PageProps<'/reset-password/[token]'>) {
  const { token } = await params
  const link = await readLink('password', token, new Date())
  if (!link?.user)
    return (
      <SpentLink
        why={
          canMailPeople()
            ? 'It was already used, or is older than an hour. Request a new one on the sign-in page.'
            : 'It was already used, or is older than an hour. The operator can create another with npm run reset-password.'
        }
      />
    )
  const { email, email_verified_at } = link.user
  const isFirstProof = link.mailed && email_verified_at === null
  return (
    <AuthCard
      title="Set a new password"
      description={
        <>
          For <span className="font-medium text-text">{email}</span>. Every browser is signed out.{' '}
          {isFirstProof
            ? 'This address was not confirmed before, so the account’s passkeys, identity providers, authenticator app and API keys are removed.'
            : 'API keys keep working.'}
        </>
      }
    >
      <NewPasswordForm save={resetPassword.bind(null, token)} email={email} />
    </AuthCard>
  )
}
