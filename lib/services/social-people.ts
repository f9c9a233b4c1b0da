import { db } from '#lib/db/client'
import type { ConnectedAccountModel } from '#lib/db/generated/models'
import type { SocialPerson, SocialProvider } from '#lib/providers/social/port'
import { refOf } from '#lib/services/connected-accounts'

type Account = Pick<ConnectedAccountModel, 'account_id' | 'user_id' | 'provider_account_id' | 'provider'>

/** A handle or the address of a profile in the form under which it is remembered: two spellings are one person. */
export const identifierKey = (identifier: string): string =>
  identifier
    .trim()
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/^www\./, '')
    .replace(/[?#].*$/s, '')
    .replace(/\/+$/, '')
    .replace(/^@/, '')

/**
 * The id by which actions name a person. Each identifier is asked of the provider once and then remembered. Throws
 * SocialReadError where nobody has it or the provider does not answer.
 */
export async function resolvePerson(
  driver: SocialProvider,
  account: Account,
  identifier: string,
  now: Date,
): Promise<string> {
  const key = identifierKey(identifier).slice(0, 500)
  const where = { account_id_identifier: { account_id: account.account_id, identifier: key } }
  const known = await db.socialIdentifier.findUnique({ where })
  if (known) return known.provider_id
  const person = await driver.person(refOf(account), identifier.trim())
  await keepPerson(account, person, now)
  const { account_id, user_id } = account
  const found = { provider_id: person.provider_id, checked_at: now }
  await db.socialIdentifier.upsert({
    where,
    create: { account_id, user_id, identifier: key, ...found },
    update: found,
  })
  return person.provider_id
}

/** What the provider last said of a person; when an invitation left and was accepted stays known. */
export async function keepPerson(account: Account, person: SocialPerson, now: Date): Promise<void> {
  const { provider_id, ...said } = person
  const { account_id, user_id } = account
  const where = { account_id_provider_id: { account_id, provider_id } }
  await db.socialPerson.upsert({
    where,
    create: { account_id, provider_id, user_id, ...said, checked_at: now },
    update: { ...said, checked_at: now },
  })
}

/** Notes that a person accepted; true where that is news. Somebody whom the account never looked up is nobody to us. */
export async function noteConnected(accountId: string, providerId: string, at: Date): Promise<boolean> {
  const { count } = await db.socialPerson.updateMany({
    where: { account_id: accountId, provider_id: providerId, relation: { not: 'connected' } },
    data: { relation: 'connected', connected_at: at, invitation_id: null },
  })
  return count === 1
}
