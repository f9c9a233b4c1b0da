import { db } from '#lib/db/client'
import { seal, unseal } from '#lib/db/seal'
import { AppError } from '#lib/errors'
import {
  type FindPostmaster,
  findPostmaster,
  type Postmaster,
  type PostmasterVendor,
  postmasterRedirectUri,
  usualPostmaster,
} from '#lib/services/domains/postmaster/google'
import { readAccount } from '#lib/services/domains/postmaster/read'
import { domainRow } from '#lib/services/domains/row'
import { grantRefusal, hasScopes, requireSession } from '#lib/services/senders/grants/connect'
import {
  deriveSecrets,
  issueGrantLink,
  readGrantLink,
  spendGrantLink,
} from '#lib/services/senders/grants/links'

type Person = { workspace_id: string; session_id?: string | undefined }

function requirePostmaster(vendor: PostmasterVendor | null, find: FindPostmaster): Postmaster {
  const postmaster = vendor && find(vendor)
  if (postmaster) return postmaster
  const message = 'This instance has no Google OAuth client. Its operator can register one.'
  throw new AppError('provider_unavailable', { message })
}

/** The URL where a person signs in and allows this instance to read their Postmaster Tools. */
export async function authorizePostmaster(
  person: Person,
  domain_id: string,
  now: Date,
  find: FindPostmaster = findPostmaster,
  vendor: PostmasterVendor | null = usualPostmaster(),
) {
  const session = requireSession(person)
  const postmaster = requirePostmaster(vendor, find)
  await domainRow(person.workspace_id, domain_id)
  const asked = { ...session, vendor: postmaster.vendor, route: 'api' as const, mailbox_id: null, domain_id }
  const { link, state } = issueGrantLink(asked, now)
  const url = await postmaster.oauth.authorizeUrl({
    state,
    ...deriveSecrets(link),
    redirect_uri: postmasterRedirectUri(),
    login_hint: null,
  })
  return { url, vendor: postmaster.vendor }
}

/** Completes the sign-in: exchanges the code for the workspace's account, replacing an earlier one, and reads it at once. */
export async function completePostmaster(
  person: Person,
  query: string,
  now: Date,
  find: FindPostmaster = findPostmaster,
) {
  const session = requireSession(person)
  const callback = new URL(postmasterRedirectUri())
  callback.search = query
  const state = callback.searchParams.get('state') ?? ''
  const link = readGrantLink(state, session, now)
  const { domain_id = null, vendor } = link ?? {}
  if (!link || !domain_id || !vendor || vendor === 'microsoft' || !(await spendGrantLink(link)))
    throw new AppError('grant_invalid')
  const { oauth } = requirePostmaster(vendor, find)
  const answer = await oauth.exchange(callback, { state, ...deriveSecrets(link) })
  if (!answer.ok) throw grantRefusal(answer)
  const { refresh_token, account } = answer
  if (!refresh_token || !hasScopes(oauth, answer)) throw new AppError('postmaster_scope_missing')
  const { workspace_id } = session
  const fields = {
    vendor,
    subject: account.subject,
    address: account.address,
    client_id: oauth.client_id,
    refresh_token: seal(refresh_token, workspace_id),
    granted_at: now,
    ended_said: null,
    next_read_at: now,
  }
  await db.postmasterAccount.upsert({
    where: { workspace_id },
    create: { workspace_id, ...fields },
    update: fields,
  })
  await readAccount(workspace_id, now, find)
  return { domain_id, vendor, address: account.address }
}

/** Removes the account here before revoking it at Google: then nothing is read any more, whatever Google answers. */
export async function disconnectPostmaster(
  workspace_id: string,
  find: FindPostmaster = findPostmaster,
): Promise<void> {
  const row = await db.postmasterAccount.findUnique({ where: { workspace_id } })
  const { count } = await db.postmasterAccount.deleteMany({ where: { workspace_id } })
  if (!row || count === 0) throw new AppError('postmaster_not_connected')
  await db.postmasterDomain.deleteMany({ where: { workspace_id } })
  try {
    await find(row.vendor === 'sandbox' ? 'sandbox' : 'google')?.oauth.revoke(
      unseal(row.refresh_token, workspace_id),
    )
  } catch {
    // The token is sealed under a lost key, so it cannot be revoked.
  }
}
