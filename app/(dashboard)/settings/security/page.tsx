import type { Metadata } from 'next'
import type { ComponentProps } from 'react'
import { z } from 'zod'
import { IdentityPanel } from '#components/workspaces/security/identity-panel'
import { PasskeyList } from '#components/workspaces/security/passkey-list'
import { PasswordForm } from '#components/workspaces/security/password-form'
import { ProofBoundary } from '#components/workspaces/security/proof'
import { SecondFactorPanel } from '#components/workspaces/security/second-factor-panel'
import { SessionTable } from '#components/workspaces/security/session-table'
import { SIGN_IN_SORTS, SignInTable } from '#components/workspaces/security/sign-in-table'
import { sortBy } from '#lib/contracts/fields'
import { Account, ReadAccount } from '#lib/contracts/workspaces/account'
import { ListIdentities } from '#lib/contracts/workspaces/identities'
import { ListPasskeys } from '#lib/contracts/workspaces/passkeys'
import { ReadSecondFactor } from '#lib/contracts/workspaces/second-factor'
import { ListSessions } from '#lib/contracts/workspaces/sessions'
import { ListSignIns } from '#lib/contracts/workspaces/sign-ins'
import { appOrigin, requireUser } from '#lib/http/session'
import { getAccount } from '#lib/services/workspaces/account'
import { listIdentities } from '#lib/services/workspaces/sign-in/identities'
import { identityProviders } from '#lib/services/workspaces/sign-in/identity-providers'
import { listPasskeys } from '#lib/services/workspaces/sign-in/passkeys'
import { provenUntil } from '#lib/services/workspaces/sign-in/recent-proof'
import { relyingParty } from '#lib/services/workspaces/sign-in/relying-party'
import { readSecondFactor } from '#lib/services/workspaces/sign-in/second-factor-settings'
import { listSessions } from '#lib/services/workspaces/sign-in/sessions'
import { listSignIns } from '#lib/services/workspaces/sign-in/sign-ins'
import { parseQuery } from '../../../page-input.ts'
import {
  changePassword,
  connectIdentity,
  disconnectIdentity,
  removePassword,
  revokeOtherSessions,
  revokeSession,
} from './actions.ts'
import * as factors from './factors.ts'

export const metadata: Metadata = { title: 'Security' }

const PATH = '/settings/security'
/** Each list has its own sort order. */
const Query = z.object({
  sessions: ListSessions.query.shape.sort,
  passkeys: ListPasskeys.query.shape.sort,
  sign_ins: sortBy(SIGN_IN_SORTS),
})

async function readAll(
  { workspace_id, user_id, session_id }: { workspace_id: string; user_id: string; session_id: string },
  sorts: z.output<typeof Query>,
  now: Date,
) {
  const [row, sessions, keys, factor, until, identities, signIns] = await Promise.all([
    getAccount({ workspace_id, user_id }),
    listSessions(user_id, { page: 1, page_size: 100, sort: sorts.sessions }, now),
    listPasskeys(user_id, { page: 1, page_size: 100, sort: sorts.passkeys }),
    readSecondFactor(user_id),
    provenUntil({ user_id, session_id }, now),
    listIdentities(user_id, { page: 1, page_size: 100 }),
    listSignIns(user_id, { page: 1, page_size: 20 }),
  ])
  return {
    account: Account.parse(row),
    sessions: ListSessions.response.parse(sessions).items,
    passkeys: ListPasskeys.response.parse(keys).items,
    factor: ReadSecondFactor.response.parse(factor),
    identities: ListIdentities.response.parse(identities).items,
    signIns: ListSignIns.response.parse(signIns).items,
    isOutdated: until === null,
  }
}

const REFUSED: Record<string, string> = {
  conflict: 'That sign-in belongs to another account on this instance. Disconnect it there first.',
  forbidden: 'Only accounts of one organisation can sign in here. That account does not belong to it.',
}

/** The result of connecting an identity, from the URL. */
function linkOutcome({ connected, refused }: Record<string, unknown>) {
  if (typeof refused === 'string')
    return { tone: 'danger' as const, words: REFUSED[refused] ?? 'It was not connected. Try again.' }
  return connected ? { tone: 'success' as const, words: 'Connected. You can now sign in with it.' } : null
}

/** The ways to sign in, and the current sessions. */
export default async function SecurityPage({ searchParams }: PageProps<'/settings/security'>) {
  const user = await requireUser(ReadAccount)
  const now = new Date()
  const asked = await searchParams
  const query = parseQuery(Query, asked)
  const { account, factor, identities, isOutdated, ...lists } = await readAll(user, query, now)
  const { sessions, passkeys, signIns } = lists
  const { email, has_password, timezone } = account
  const { origin } = relyingParty()
  return (
    <ProofBoundary
      email={email}
      means={{ password: has_password, code: factor.is_on, passkey: passkeys.length > 0 }}
      isOutdated={isOutdated}
      prove={factors.prove}
      startPasskey={factors.startProof}
      provePasskey={factors.provePasskey}
    >
      <PasskeyList
        passkeys={passkeys}
        sorting={{ path: PATH, query }}
        now={now.toISOString()}
        zone={timezone}
        named={origin === appOrigin() ? null : origin}
        actions={{
          start: factors.startPasskey,
          add: factors.addPasskey,
          rename: factors.renamePasskey,
          remove: factors.removePasskey,
        }}
      />
      <Factor factor={factor} zone={timezone} />
      <PasswordForm
        email={email}
        hasPassword={has_password}
        change={changePassword}
        remove={passkeys.length + identities.length > 0 ? removePassword : undefined}
      />
      <IdentityPanel
        identities={identities}
        offered={identityProviders().map(({ id, name }) => ({ id, name }))}
        zone={timezone}
        said={linkOutcome(asked)}
        start={connectIdentity}
        disconnect={disconnectIdentity}
      />
      <SessionTable
        sessions={sessions}
        sorting={{ path: PATH, query }}
        current={user.session_id}
        now={now.toISOString()}
        zone={timezone}
        revoke={revokeSession}
        revokeOthers={revokeOtherSessions}
      />
      <SignInTable items={signIns} sorting={{ path: PATH, query }} zone={timezone} />
    </ProofBoundary>
  )
}

function Factor({ factor, zone }: Pick<ComponentProps<typeof SecondFactorPanel>, 'factor' | 'zone'>) {
  return (
    <SecondFactorPanel
      factor={factor}
      zone={zone}
      actions={{
        start: factors.startSecondFactor,
        turnOn: factors.turnOnSecondFactor,
        turnOff: factors.turnOffSecondFactor,
        replaceCodes: factors.replaceRecoveryCodes,
      }}
    />
  )
}
