import type { Metadata } from 'next'
import { LinkButton } from '#components/ui/controls/link-button'
import { AuthCard } from '#components/workspaces/sign-in/auth-card'

export const metadata: Metadata = { title: 'Your account is erased', robots: { index: false, follow: false } }

/** Shown after an account was erased. */
export default function GoodbyePage() {
  return (
    <AuthCard
      title="Your account is erased"
      description="All its data is deleted, and every browser is signed out."
      below={<LinkButton href="/sign-in">Go to sign-in</LinkButton>}
    >
      <ul className="grid list-disc gap-2 pl-5 text-sm text-pretty">
        <li>Your campaigns were stopped first. Emails already handed over may still arrive.</li>
        <li>API keys and tokens no longer work.</li>
        <li>Unsubscribe links in emails that were already sent keep working.</li>
        <li>The operator of this instance may keep backups for some time.</li>
      </ul>
    </AuthCard>
  )
}
