import type { Metadata } from 'next'
import { AuthCard } from '#components/workspaces/sign-in/auth-card'
import { DisownForm } from '#components/workspaces/sign-in/disown-form'
import { SpentLink } from '#components/workspaces/sign-in/spent-link'
import { readLink } from '#lib/services/workspaces/sign-in/one-time-links'
import { disown } from '../../actions.ts'

export const metadata: Metadata = {
  title: 'This wasn’t you?',
  robots: { index: false, follow: false },
  referrer: 'same-origin',
}

/**
 * Linked from the email about a new device. Opening it changes nothing, because programs open links in emails
 * too.
 */
export default async function NotMePage({ params }: PageProps<'/not-me/[token]'>) {
  const { token } = await params
  const link = await readLink('not_me', token, new Date())
  if (!link?.user)
    return (
      <SpentLink why="It was already used, or is older than a week. You can still request a new password on the sign-in page. That signs out every browser." />
    )
  return (
    <AuthCard
      title="This wasn’t you?"
      description={
        <>
          Every browser that is signed in to <span className="font-medium text-text">{link.user.email}</span>{' '}
          will be signed out. Then you set a new password.
        </>
      }
    >
      <DisownForm disown={disown.bind(null, token)} isVerified={link.user.email_verified_at !== null} />
    </AuthCard>
  )
}
