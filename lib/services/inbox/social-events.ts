import { ConnectedAccount } from '#lib/contracts/senders/connected-accounts'
import { db, pool } from '#lib/db/client'
import type { ConnectedAccountModel } from '#lib/db/generated/models'
import { nextPoll } from '#lib/domain/inbox/poll-cadence'
import { AppError } from '#lib/errors'
import { type SocialEvent, type SocialProvider, SocialReadError } from '#lib/providers/social/port'
import { recordSocialMessage } from '#lib/services/inbox/social-messages'
import { roundEnd } from '#lib/services/instance/round-time'
import { loseAccount } from '#lib/services/senders/accounts/account-loss'
import { newAccountDriver, socialProvider } from '#lib/services/senders/social-provider'
import { accountRef } from '#lib/services/social/connected-accounts'
import { checkAccount, connectAccount } from '#lib/services/social/connections'
import { noteConnected } from '#lib/services/social/people'

/**
 * Handles a provider's webhook request. False if it is not authentic. Each event may arrive twice, late or
 * never.
 */
export async function takeSocialEvents(headers: Headers, body: string, now: Date): Promise<boolean> {
  if (newAccountDriver() !== 'unipile') return false
  const driver = socialProvider('unipile')
  const events = driver.events(headers, body)
  if (!events) return false
  for (const event of events) await takeEvent(driver, event, now)
  return true
}

async function takeEvent(driver: SocialProvider, event: SocialEvent, now: Date): Promise<void> {
  const { provider_account_id } = event
  if (event.kind === 'account_connected') {
    if (event.state) await connectAccount(driver, { provider_account_id, state: event.state }, now)
    return
  }
  const account = await db.connectedAccount.findFirst({ where: { driver: driver.name, provider_account_id } })
  // The customer's accounts in other applications are reported too.
  if (!account) return
  switch (event.kind) {
    case 'account_status':
      // The report may be outdated, so the current status is queried.
      return checkAccount(driver, account, now)
    case 'message':
      await recordSocialMessage(account, event.message, now)
      return
    case 'connection_accepted':
      await noteConnected(account.account_id, event.provider_id, now)
  }
}

const MINUTE_MS = 60_000
/** This period is read again, since messages may be reported late and out of order. */
const OVERLAP_MS = 5 * MINUTE_MS
/** How often to ask for what a provider also reports by itself; the sandbox reports nothing. */
const CHECK_EVERY_MS = { unipile: 30 * MINUTE_MS, sandbox: 0 }
const READ_EVERY_MS = { unipile: 5 * MINUTE_MS, sandbox: 0 }

export type SocialRound = {
  accounts: number
  messages: number
  accepted: number
  failed: number
  goes_on?: boolean
}

/** Reads the chats, status and invitations of every account that is due, until the time is up. */
export async function sweepSocialAccounts(
  clock: () => Date = () => new Date(),
  /** Only the accounts of this workspace. */
  workspaceId?: string,
  /** Only accounts that are due. */
  dueOnly = false,
): Promise<SocialRound> {
  const until = roundEnd(clock())
  const rows = await db.connectedAccount.findMany({
    where: {
      ...(workspaceId === undefined ? {} : { workspace_id: workspaceId }),
      ...(dueOnly ? { messages_due_at: { lte: clock() } } : {}),
    },
    orderBy: [{ messages_read_until: { sort: 'asc', nulls: 'first' } }, { account_id: 'asc' }],
  })
  const round: SocialRound = { accounts: 0, messages: 0, accepted: 0, failed: 0 }
  for (const row of rows) {
    if (clock() >= until) return { ...round, goes_on: true }
    await noteTurn(row, clock())
    if (await sweepAccount(row, round, clock(), dueOnly)) round.accounts += 1
  }
  return round
}

/** Reads the accounts that are due: often while a reply may arrive, otherwise only by the sweep. */
export const readDueAccounts = () => sweepSocialAccounts(undefined, undefined, true)
export const readEveryAccount = () => sweepSocialAccounts()

/**
 * Moves the account's next turn before its provider is asked, so that a process that dies does not cause
 * another wake-up for it.
 */
async function noteTurn(row: ConnectedAccountModel, now: Date): Promise<void> {
  const times = [row.last_action_at, row.messages_arrived_at].flatMap((at) => (at ? [at.getTime()] : []))
  const since = times.length > 0 && row.status !== 'disconnected' ? Math.max(...times) : null
  const next = nextPoll({ since }, now.getTime())
  await db.connectedAccount.updateMany({
    // Skipped if a send in the meantime has set another due time.
    where: { account_id: row.account_id, last_action_at: row.last_action_at },
    data: { messages_due_at: next === null ? null : new Date(next) },
  })
}

/** False if nothing was due, or if this instance has no driver for the account. */
async function sweepAccount(
  row: ConnectedAccountModel,
  round: SocialRound,
  now: Date,
  isDue: boolean,
): Promise<boolean> {
  const name = ConnectedAccount.shape.driver.parse(row.driver)
  const age = (at: Date | null) => now.getTime() - (at?.getTime() ?? 0)
  const isChecked = age(row.last_checked_at) < CHECK_EVERY_MS[name]
  const isRead =
    row.status === 'disconnected' || (!isDue && age(row.messages_read_until) < READ_EVERY_MS[name])
  if (isChecked && isRead) return false
  const driver = findProvider(row.driver)
  if (!driver) return false
  try {
    if (!isChecked) {
      await checkAccount(driver, row, now)
      if (row.status !== 'disconnected') round.accepted += await readConnections(driver, row, now)
    }
    if (!isRead) round.messages += await readMessages(driver, row, now)
  } catch (error) {
    if (!(error instanceof SocialReadError)) throw error
    round.failed += 1
    if (error.reason === 'account_gone') await loseAccount(pool(), row.account_id, error.message, now)
  }
  return true
}

function findProvider(name: string): SocialProvider | null {
  try {
    return socialProvider(name)
  } catch (error) {
    // This instance is no longer configured for the provider: the account waits.
    if (error instanceof AppError && error.code === 'provider_unavailable') return null
    throw error
  }
}

async function readMessages(driver: SocialProvider, row: ConnectedAccountModel, now: Date): Promise<number> {
  const from = row.messages_read_until ?? row.created_at
  const since = new Date(Math.max(row.created_at.getTime(), from.getTime() - OVERLAP_MS))
  let cursor: string | null = null
  let kept = 0
  do {
    const page = await driver.messages(accountRef(row), since, cursor)
    for (const message of page.items) if (await recordSocialMessage(row, message, now)) kept += 1
    cursor = page.next_cursor
  } while (cursor)
  await db.connectedAccount.updateMany({
    where: { account_id: row.account_id },
    data: { messages_read_until: now, ...(kept > 0 ? { messages_arrived_at: now } : {}) },
  })
  return kept
}

/** Only if an invitation is open: the list of connections is long, and networks discourage reading it. */
async function readConnections(
  driver: SocialProvider,
  row: ConnectedAccountModel,
  now: Date,
): Promise<number> {
  const where = { account_id: row.account_id, relation: 'invited' }
  if ((await db.socialPerson.count({ where })) === 0) return 0
  const { items } = await driver.connections(accountRef(row), null)
  let accepted = 0
  for (const { provider_id, at } of items)
    if (await noteConnected(row.account_id, provider_id, at ?? now)) accepted += 1
  return accepted
}
