import type { Metadata } from 'next'
import { LinkButton } from '#components/ui/controls/link-button'
import { AuthCard } from '#components/workspaces/sign-in/auth-card'

export const metadata: Metadata = { title: 'Everything is signed out' }

/** For an account that has no password to set anew. */
export default function SignedOutEverywherePage() {
  return (
    <AuthCard
      title="Everything is signed out"
      description="This account has no password: it signs in by a passkey or an identity provider. Change the password there too, then look at Settings, Security."
    >
      <LinkButton href="/sign-in">Go to sign-in</LinkButton>
    </AuthCard>
  )
}
