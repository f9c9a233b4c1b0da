import { db, pool } from '#lib/db/client'
import type { ConnectedAccountModel } from '#lib/db/generated/models'
import { toStatements } from '#lib/db/statements'
import type { SocialProvider } from '#lib/providers/social/port'
import { knownPerson, meetPerson, tellOfAcceptance } from '#lib/services/sending/people'
import { accountRef } from '#lib/services/social/connected-accounts'

type Account = Pick<ConnectedAccountModel, 'account_id' | 'workspace_id' | 'provider_account_id' | 'provider'>

/**
 * The id under which actions refer to a person. Each identifier is looked up at the provider once and then remembered. Throws
 * SocialReadError if nobody has it or the provider does not answer.
 */
export async function resolvePerson(
  driver: SocialProvider,
  account: Account,
  identifier: string,
  now: Date,
): Promise<string> {
  const profile = identifier.trim()
  const known = await knownPerson(pool(), account, { social_provider_id: null, social_profile: profile })
  if (known) return known.provider_id
  const met = await meetPerson(pool(), driver, { ref: accountRef(account), account, profile }, now)
  return met.provider_id
}

/** Records that a person accepted; true if that is new. People the account never looked up are ignored. */
export async function noteConnected(accountId: string, providerId: string, at: Date): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const { count } = await tx.socialPerson.updateMany({
      where: { account_id: accountId, provider_id: providerId, relation: { not: 'connected' } },
      data: { relation: 'connected', connected_at: at, invitation_id: null },
    })
    if (count > 0) await tellOfAcceptance(toStatements(tx), accountId, providerId, at)
    return count === 1
  })
}
