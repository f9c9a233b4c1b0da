import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { Link } from '#components/ui/controls/link'
import { AuthCard } from '#components/workspaces/sign-in/auth-card'
import { CodeForm } from '#components/workspaces/sign-in/code-form'
import { safeReturnPath } from '#lib/contracts/workspaces/sign-in'
import { currentUser } from '#lib/http/session'
import { signInPath } from '#lib/http/session-path'
import { readPending } from '#lib/http/sign-in/pending'
import { signInByCode } from '../actions.ts'

export const metadata: Metadata = { title: 'Enter a code' }

/** Shown after a correct password if the account has a second factor. */
export default async function CodePage({ searchParams }: PageProps<'/sign-in/code'>) {
  const goOn = safeReturnPath((await searchParams).return_path)
  if (await currentUser()) redirect(goOn ?? '/home')
  const pending = await readPending()
  if (!pending) redirect(signInPath(goOn, false))
  return (
    <AuthCard
      title="Enter a code"
      description={
        <>
          The password of <span className="font-medium break-words text-text">{pending.email}</span> is
          correct. One more step: enter the six digits from your authenticator app.
        </>
      }
      below={
        <Link href={signInPath(goOn, false)} className="text-accent-text underline">
          Sign in another way
        </Link>
      }
    >
      <CodeForm signIn={signInByCode} goOn={goOn} />
    </AuthCard>
  )
}
