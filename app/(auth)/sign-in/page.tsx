import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { placeName } from '#components/shell/nav-items'
import { Link } from '#components/ui/controls/link'
import { Callout } from '#components/ui/feedback/callout'
import { AuthCard } from '#components/workspaces/sign-in/auth-card'
import { Introduction } from '#components/workspaces/sign-in/introduction'
import { PasskeyButton } from '#components/workspaces/sign-in/passkey-button'
import { ProviderButton } from '#components/workspaces/sign-in/provider-button'
import { SignInForm } from '#components/workspaces/sign-in/sign-in-form'
import { safeReturnPath } from '#lib/contracts/workspaces/sign-in'
import { currentUser, isLocalRequest } from '#lib/http/session'
import { signUpIsOpen } from '#lib/services/workspaces/sign-in/by-password'
import { DEMO, demoIsOpen } from '#lib/services/workspaces/sign-in/demo-account'
import { identityProviders } from '#lib/services/workspaces/sign-in/identity-providers'
import { signIn } from '../actions.ts'
import { signInByPasskey, startPasskeySignIn } from './actions.ts'

export const metadata: Metadata = { title: 'Sign in' }

/** Messages for the codes that next-auth puts into `?error=`. */
const ERRORS: Record<string, string> = {
  code_gone: 'That took too long. Sign in again.',
  AccessDenied: 'The identity provider did not let you in.',
  address_taken:
    'An account with this address already exists. Sign in as usual, then connect this provider under Settings → Security.',
  no_account: 'No account here has this address. Ask the operator of this instance for one.',
  no_address:
    'The provider has not verified your address. Sign in another way, then connect it under Settings → Security.',
  other_domain: 'Only accounts of one organisation can sign in here. This account does not belong to it.',
}

export default async function SignInPage({ searchParams }: PageProps<'/sign-in'>) {
  const { error, return_path, ended } = await searchParams
  const goOn = safeReturnPath(return_path)
  if (await currentUser()) redirect(goOn ?? '/home')
  const waits = goOn && placeName(goOn)
  const providers = identityProviders()
  const demo = (await isLocalRequest()) && (await demoIsOpen()) ? DEMO : undefined
  return (
    <AuthCard
      title="Sign in"
      description="To your campaigns, lists and inbox."
      aside={<Introduction now={Date.now()} />}
      below={
        signUpIsOpen() ? (
          <>
            No account yet?{' '}
            <Link
              href={goOn ? `/sign-up?${new URLSearchParams({ return_path: goOn })}` : '/sign-up'}
              className="text-accent-text underline"
            >
              Create one
            </Link>
          </>
        ) : (
          'No account yet? Ask the person who runs Opener here for one.'
        )
      }
    >
      {typeof error === 'string' && (
        <Callout tone="danger" role="alert" className="mb-4">
          {ERRORS[error] ?? 'The sign-in did not work. Try again.'}
        </Callout>
      )}
      {(ended !== undefined || waits) && typeof error !== 'string' && (
        <Callout tone="info" title={ended !== undefined && 'Your session has ended'} className="mb-4">
          {waits ? `Sign in to open ${waits}.` : 'Sign in to continue.'}
        </Callout>
      )}
      {demo && (
        <Callout tone="info" title="This instance runs on your machine" className="mb-4">
          The demo account is filled in: <code className="font-mono">{demo.email}</code>, password{' '}
          <code className="font-mono whitespace-nowrap">{demo.password}</code>. Its emails stay in the
          sandbox.
        </Callout>
      )}
      <SignInForm signIn={signIn} known={demo} goOn={goOn} />
      <div className="mt-4 grid gap-3 empty:hidden">
        <PasskeyButton start={startPasskeySignIn} signIn={signInByPasskey.bind(null, goOn)} />
        {providers.map(({ id, name }) => (
          <ProviderButton
            key={id}
            id={id}
            label={`Continue with ${name}`}
            goOn={goOn ?? '/home'}
            className="w-full"
          />
        ))}
      </div>
    </AuthCard>
  )
}
