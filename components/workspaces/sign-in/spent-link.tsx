import { LinkButton } from '#components/ui/controls/link-button'
import { AuthCard } from './auth-card.tsx'

/** Shown instead of the target of a single-use link. */
export function SpentLink({ why }: { why: string }) {
  return (
    <AuthCard title="This link no longer works" description={why}>
      <LinkButton href="/sign-in">Go to sign-in</LinkButton>
    </AuthCard>
  )
}
