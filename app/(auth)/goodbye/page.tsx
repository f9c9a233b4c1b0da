import type { Metadata } from 'next'
import { LinkButton } from '#components/ui/controls/link-button'
import { AuthCard } from '#components/workspaces/sign-in/auth-card'

export const metadata: Metadata = { title: 'Your account is erased', robots: { index: false, follow: false } }

/** Where an erasure ends. */
export default function GoodbyePage() {
  return (
    <AuthCard
      title="Your account is erased"
      description="Every row of it is gone from every table, and every browser is signed out."
      below={<LinkButton href="/sign-in">Go to sign-in</LinkButton>}
    >
      <ul className="grid list-disc gap-2 pl-5 text-sm text-pretty">
        <li>Campaigns stopped before anything went. Mail that a server had taken may still arrive.</li>
        <li>API keys and tokens are good for nothing any more.</li>
        <li>Unsubscribe links in mail that was sent go on answering.</li>
        <li>Backups are kept by whoever runs this instance, for as long as they say.</li>
      </ul>
    </AuthCard>
  )
}
