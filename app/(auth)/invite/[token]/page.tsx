import type { Metadata } from 'next'
import { LinkButton } from '#components/ui/controls/link-button'
import { AcceptForm } from '#components/workspaces/members/accept-form'
import { AnotherAccount } from '#components/workspaces/members/another-account'
import { InvitedForm } from '#components/workspaces/members/invited-form'
import { AuthCard } from '#components/workspaces/sign-in/auth-card'
import { SpentLink } from '#components/workspaces/sign-in/spent-link'
import { Branding } from '#lib/contracts/workspaces/branding'
import { AppError } from '#lib/errors'
import { currentUser } from '#lib/http/session'
import { signInPath } from '#lib/http/session-path'
import { findBranding } from '#lib/services/workspaces/branding'
import {
  canSignUpByLink,
  findInvitation,
  hasAccount,
  whyClosed,
} from '#lib/services/workspaces/joining/acceptance'
import { accept, leave, signUpInvited } from './actions.ts'

export const metadata: Metadata = {
  title: 'Invitation',
  robots: { index: false, follow: false },
  referrer: 'same-origin',
}

/**
 * The page behind an invitation link, for the invited person: signed in, signed out, or without an account.
 */
export default async function InvitePage({ params }: PageProps<'/invite/[token]'>) {
  const { token } = await params
  const invitation = await findInvitation(token)
  if (!invitation)
    return <SpentLink why="This invitation does not exist. A newer email may have replaced it." />
  const ended = whyClosed(invitation, new Date())
  if (ended) return <SpentLink why={new AppError(ended).message} />
  const { email, role, workspace, inviter } = invitation
  const branding = Branding.parse(await findBranding(workspace.workspace_id))
  const user = await currentUser()
  const title = `Join ${branding.name ?? workspace.name}`
  const asked = `${inviter?.name ?? 'Somebody'} invited you as ${role}.`
  if (user && user.email.toLowerCase() !== email)
    return (
      <AuthCard
        branding={branding}
        title={title}
        description={`This invitation is for ${email}. You are signed in as ${user.email}.`}
      >
        <AnotherAccount leave={leave.bind(null, token)} />
      </AuthCard>
    )
  if (user)
    return (
      <AuthCard branding={branding} title={title} description={asked}>
        <AcceptForm accept={accept.bind(null, token)} label="Accept invitation" />
      </AuthCard>
    )
  if ((await hasAccount(email)) || !canSignUpByLink())
    return (
      <AuthCard branding={branding} title={title} description={`${asked} Sign in as ${email} to accept it.`}>
        <LinkButton href={signInPath(`/invite/${token}`, false)} variant="primary" className="w-full">
          Sign in
        </LinkButton>
      </AuthCard>
    )
  return (
    <AuthCard
      branding={branding}
      title={title}
      description={`${asked} Choose a name and a password to accept it.`}
    >
      <InvitedForm email={email} signUp={signUpInvited.bind(null, token)} />
    </AuthCard>
  )
}
