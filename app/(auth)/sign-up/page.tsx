import type { Metadata } from 'next'
import Link from 'next/link'
import { notFound, redirect } from 'next/navigation'
import { AuthCard } from '#components/workspaces/sign-in/auth-card'
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
  if (!signUpIsOpen()) notFound()
  return (
    <AuthCard
      title="Create an account"
      description="It takes a name, an address and a password."
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
