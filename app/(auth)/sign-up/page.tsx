import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { Link } from '#components/ui/controls/link'
import { LinkButton } from '#components/ui/controls/link-button'
import { AuthCard } from '#components/workspaces/sign-in/auth-card'
import { Introduction } from '#components/workspaces/sign-in/introduction'
import { SignUpForm } from '#components/workspaces/sign-in/sign-up-form'
import { safeReturnPath } from '#lib/contracts/workspaces/sign-in'
import { currentUser } from '#lib/http/session'
import { signInPath } from '#lib/http/session-path'
import { signUpIsOpen } from '#lib/services/workspaces/sign-in/by-password'
import { signUp } from '../actions.ts'

export const metadata: Metadata = { title: 'Create an account' }

export default async function SignUpPage({ searchParams }: PageProps<'/sign-up'>) {
  const goOn = safeReturnPath((await searchParams).return_path)
  if (await currentUser()) redirect(goOn ?? '/home')
  if (!signUpIsOpen())
    return (
      <AuthCard
        title="Sign-up is closed"
        description="Accounts on this server are created by the person who runs it. Ask them for one."
      >
        <LinkButton href={signInPath(goOn, false)} variant="primary" className="w-full">
          Sign in
        </LinkButton>
      </AuthCard>
    )
  return (
    <AuthCard
      title="Create an account"
      description="All you need is a name, an email address and a password."
      aside={<Introduction now={Date.now()} />}
      below={
        <>
          Have an account?{' '}
          <Link href={signInPath(goOn, false)} className="text-accent-text underline">
            Sign in
          </Link>
        </>
      }
    >
      <SignUpForm signUp={signUp} goOn={goOn} />
    </AuthCard>
  )
}
