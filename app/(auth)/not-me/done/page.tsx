import type { Metadata } from 'next'
import { LinkButton } from '#components/ui/controls/link-button'
import { AuthCard } from '#components/workspaces/sign-in/auth-card'

export const metadata: Metadata = { title: 'All browsers are signed out' }

/** For accounts without a password to reset. */
export default function SignedOutEverywherePage() {
  return (
    <AuthCard
      title="All browsers are signed out"
      description="This account has no password: it uses a passkey or an identity provider. Change the password there too, then check Settings → Security."
    >
      <LinkButton href="/sign-in">Go to sign-in</LinkButton>
    </AuthCard>
  )
}
