import { LinkButton } from '#components/ui/controls/link-button'
import { AuthCard } from './auth-card.tsx'

/** In the place of what a link led to that works once. */
export function SpentLink({ why }: { why: string }) {
  return (
    <AuthCard title="This link no longer works" description={why}>
      <LinkButton href="/sign-in">Go to sign-in</LinkButton>
    </AuthCard>
  )
}
