import { db, pool } from '#lib/db/client'
import type { ConnectedAccountModel } from '#lib/db/generated/models'
import { isImportedAccount } from '#lib/domain/social/imported-account'
import { sitePath } from '#lib/domain/text/site-path'
import { env } from '#lib/env'
import { AppError } from '#lib/errors'
import {
  type SocialAccountState,
  type SocialNetwork,
  type SocialProvider,
  SocialReadError,
} from '#lib/providers/social/port'
import {
  type AccountLink,
  issueLink,
  readLink,
  readTicket,
  useLink,
} from '#lib/services/senders/accounts/account-links'
import { loseAccount } from '#lib/services/senders/accounts/account-loss'
import { socialProvider, storedNetwork } from '#lib/services/senders/social-provider'
import { regainAccount } from '#lib/services/social/account-return'
import { findAccount } from '#lib/services/social/connected-accounts'

const CALLBACK = '/connected-accounts/callback'
const NOTIFY = '/api/social/unipile'

type Asked = { provider: SocialNetwork; return_path: string }

/** The URL where a person signs in to connect an account. */
export async function createAuthLink(workspaceId: string, { provider, return_path }: Asked, now: Date) {
  const asked = { workspace_id: workspaceId, network: provider, return_path, account_id: null }
  return { url: await signInAt(socialProvider(), asked, null, now), provider }
}

/** `createAuthLink` for an account that was lost. */
export async function reconnectAccount(
  workspaceId: string,
  accountId: string,
  returnPath: string,
  now: Date,
) {
  const account = await findAccount(workspaceId, accountId)
  const provider = storedNetwork(account)
  const asked = {
    workspace_id: workspaceId,
    network: provider,
    return_path: returnPath,
    account_id: accountId,
  }
  const { provider_account_id } = account
  const known = isImportedAccount(provider_account_id) ? null : provider_account_id
  const url = await signInAt(socialProvider(account.driver), asked, known, now)
  return { url, provider }
}

async function signInAt(
  driver: SocialProvider,
  asked: Omit<AccountLink, 'link_id' | 'expires_at'>,
  reconnect: string | null,
  now: Date,
): Promise<string> {
  const { state, shown_state, ticket, expires_at } = issueLink(asked, now)
  const back = new URL(CALLBACK, env().APP_URL)
  back.searchParams.set('ticket', ticket)
  try {
    const link = await driver.authLink({
      network: asked.network,
      state,
      shown_state,
      redirect_url: back.href,
      notify_url: new URL(NOTIFY, env().APP_URL).href,
      expires_at,
      reconnect,
    })
    return link.url
  } catch (error) {
    if (!(error instanceof SocialReadError)) throw error
    throw new AppError('provider_unavailable', { message: error.message, cause: error })
  }
}

/**
 * Where a browser goes after a sign-in: always a page of this site, whatever the URL it came with says, and the workspace the sign-in was
 * begun for.
 */
export function afterSignIn(query: URLSearchParams): { path: string; workspace_id: string | null } {
  const link = readTicket(query.get('ticket') ?? '')
  const path = (link && sitePath(link.return_path)) ?? '/accounts'
  const url = new URL(path, env().APP_URL)
  const hasFailed = ['failed', 'error_type', 'error_title'].some((name) => query.has(name))
  url.searchParams.set(hasFailed || !link ? 'failed' : 'connected', '1')
  return { path: `${url.pathname}${url.search}`, workspace_id: link?.workspace_id ?? null }
}

/**
 * Adds the account of a successful sign-in. The state identifies the workspace and is used up; the account is read from the provider. Null
 * if the state is unknown or was used for another account, or the account belongs to somebody else.
 */
export async function connectAccount(
  driver: SocialProvider,
  signedIn: { provider_account_id: string; state: string },
  now: Date,
): Promise<ConnectedAccountModel | null> {
  const link = readLink(signedIn.state, now)
  if (!link) return null
  const state = await driver.account(signedIn.provider_account_id)
  if (state.network !== link.network) return null
  const account = await db.$transaction(async (tx) => {
    // Serializes sign-ins of one owner: only the first account becomes the default.
    await tx.$queryRaw`SELECT 1 FROM workspaces WHERE workspace_id = ${link.workspace_id}::uuid FOR NO KEY UPDATE`
    const isFresh = await useLink(tx, link)
    const known = await tx.connectedAccount.findFirst({
      where: { driver: driver.name, provider_account_id: state.provider_account_id },
    })
    if (known) return known.workspace_id === link.workspace_id ? updateState(tx, known, state, now) : null
    if (!isFresh) return null
    const lost = link.account_id && {
      account_id: link.account_id,
      workspace_id: link.workspace_id,
      driver: driver.name,
    }
    const before = lost ? await tx.connectedAccount.findFirst({ where: lost }) : null
    return before ? updateState(tx, before, state, now) : create(tx, link, driver.name, state, now)
  })
  if (account && state.status === 'connected') await regainAccount(pool(), account.account_id, now)
  return account
}

type Tx = Pick<typeof db, 'connectedAccount'>

const updateState = (tx: Tx, row: ConnectedAccountModel, state: SocialAccountState, now: Date) =>
  tx.connectedAccount.update({
    where: { account_id: row.account_id },
    data: {
      provider_account_id: state.provider_account_id,
      kind: state.kind,
      handle: state.handle,
      avatar_url: state.avatar_url,
      last_checked_at: now,
    },
  })

async function create(tx: Tx, link: AccountLink, driver: string, state: SocialAccountState, now: Date) {
  const hasDefault = await tx.connectedAccount.count({
    where: { workspace_id: link.workspace_id, is_default: true },
  })
  return tx.connectedAccount.create({
    data: {
      workspace_id: link.workspace_id,
      provider: link.network,
      driver,
      provider_account_id: state.provider_account_id,
      name: state.name.slice(0, 200),
      handle: state.handle,
      avatar_url: state.avatar_url,
      kind: state.kind,
      status: state.status,
      status_reason: state.status_reason,
      is_default: hasDefault === 0,
      ramp_up_started_at: now,
      last_checked_at: now,
      messages_read_until: now,
      created_at: now,
    },
  })
}

/** Asks the provider for an account's state and applies it. If the provider cannot be asked, nothing changes. */
export async function checkAccount(
  driver: SocialProvider,
  row: Pick<ConnectedAccountModel, 'account_id' | 'provider_account_id' | 'status'>,
  now: Date,
): Promise<void> {
  if (isImportedAccount(row.provider_account_id)) return
  const state = await driver.account(row.provider_account_id).catch((error: unknown) => {
    if (error instanceof SocialReadError && ['account_gone', 'not_found'].includes(error.reason))
      return { status: 'disconnected' as const, status_reason: error.message }
    if (error instanceof SocialReadError) return null
    throw error
  })
  if (!state) return
  if (state.status === 'disconnected')
    await loseAccount(pool(), row.account_id, state.status_reason ?? 'The network signed it out.', now)
  else if (row.status === 'disconnected') await regainAccount(pool(), row.account_id, now)
  await db.connectedAccount.updateMany({
    where: { account_id: row.account_id },
    data: { last_checked_at: now, ...('kind' in state ? { kind: state.kind } : {}) },
  })
}
