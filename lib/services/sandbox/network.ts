import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { ActInSandboxNetwork } from '#lib/contracts/sandbox/sandbox'
import { db } from '#lib/db/client'
import { AppError } from '#lib/errors'
import { answerText, chatId } from '#lib/providers/social/sandbox-people'
import { sweepSocialAccounts } from '#lib/services/inbox/social-events'
import { readOpenLink } from '#lib/services/senders/accounts/account-links'
import { hasSandbox } from '#lib/services/senders/sandbox'
import { socialProvider } from '#lib/services/senders/social-provider'
import { afterSignIn, connectAccount } from '#lib/services/social/connections'

export const SANDBOX_KINDS = ['free', 'premium', 'sales_navigator', 'recruiter'] as const

function requireSandbox(): void {
  if (!hasSandbox()) throw new AppError('not_found', { message: 'This instance has no sandbox.' })
}

/** The sign-in behind a sandbox link; null if it was used, has expired or is not ours. */
export async function readSandboxSignIn(state: string, account: string | null, now: Date) {
  requireSandbox()
  const link = await readOpenLink(state, now)
  if (!link) return null
  const known = account
    ? await db.sandboxAccount.findFirst({
        where: { provider_account_id: account, workspace_id: link.workspace_id },
      })
    : null
  return { network: link.network, workspace_id: link.workspace_id, known }
}

type SignIn = { state: string; account: string | null; name: string; kind: string }

/** Signs the simulated person in: the network gets an account, and its provider notifies this instance. */
export async function signInToSandbox({ state, account, name, kind }: SignIn, now: Date): Promise<void> {
  const open = await readSandboxSignIn(state, account, now)
  if (!open) throw new AppError('grant_invalid')
  const provider_account_id = open.known?.provider_account_id ?? `sandbox-account-${randomUUID()}`
  const fields = { name, kind, status: 'connected' as const }
  await db.sandboxAccount.upsert({
    where: { provider_account_id },
    create: {
      ...fields,
      provider_account_id,
      workspace_id: open.workspace_id,
      network: open.network,
      handle: name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-'),
      created_at: now,
    },
    update: fields,
  })
  await connectAccount(socialProvider('sandbox'), { provider_account_id, state }, now)
}

/** Where the browser goes next: computes the callback's answer directly, since sandbox pages are on this site. */
export function backFromSandbox(back: string, isDenied: boolean): ReturnType<typeof afterSignIn> {
  const query = URL.canParse(back) ? new URL(back).searchParams : new URLSearchParams()
  if (isDenied) query.set('failed', '1')
  return afterSignIn(query)
}

/** The latest contents of an owner's sandbox network, up to a limit. */
export async function readSandboxNetwork(workspaceId: string) {
  requireSandbox()
  const where = { workspace_id: workspaceId }
  const [accounts, people, messages, posts] = await Promise.all([
    db.sandboxAccount.findMany({ where, orderBy: { created_at: 'desc' }, take: 20 }),
    db.sandboxPerson.findMany({
      where,
      orderBy: [{ invited_at: { sort: 'desc', nulls: 'last' } }, { handle: 'asc' }],
      take: 50,
    }),
    db.sandboxChatMessage.findMany({ where, orderBy: [{ at: 'desc' }, { message_id: 'desc' }], take: 50 }),
    db.sandboxPost.findMany({ where: { ...where, deleted_at: null }, orderBy: { at: 'desc' }, take: 20 }),
  ])
  return { accounts, people, messages, posts }
}

async function ownAccount(workspaceId: string, provider_account_id: string) {
  requireSandbox()
  const account = await db.sandboxAccount.findFirst({
    where: { provider_account_id, workspace_id: workspaceId },
  })
  if (!account) throw new AppError('account_not_found')
  return account
}

/** Signs the account out, as after a changed password. */
export async function signOutInSandbox(workspaceId: string, account: string): Promise<void> {
  await ownAccount(workspaceId, account)
  const where = { provider_account_id: account }
  await db.sandboxAccount.update({ where, data: { status: 'disconnected' } })
  await sweepSocialAccounts(() => new Date(), workspaceId)
}

/** Makes the network refuse the account's next offers as too many. */
async function limitInSandbox(workspaceId: string, account: string, count: number): Promise<void> {
  await ownAccount(workspaceId, account)
  await db.sandboxAccount.update({
    where: { provider_account_id: account },
    data: { refuse_next: count },
  })
}

/** Decides a pending invitation: the person accepts now, or never will. */
export async function decideInSandbox(
  workspaceId: string,
  account: string,
  providerId: string,
  accepts: boolean,
  now: Date,
): Promise<void> {
  await ownAccount(workspaceId, account)
  const { count } = await db.sandboxPerson.updateMany({
    where: { provider_account_id: account, provider_id: providerId, invitation_id: { not: null } },
    data: { connects_at: accepts ? now : null },
  })
  if (count === 0) throw new AppError('invalid_state', { message: 'No invitation to them is pending.' })
  await sweepSocialAccounts(() => now, workspaceId)
}

/** Makes a person write a message now. */
export async function answerInSandbox(
  workspaceId: string,
  account: string,
  providerId: string,
  now: Date,
): Promise<void> {
  await ownAccount(workspaceId, account)
  const person = { provider_account_id: account, provider_id: providerId }
  if ((await db.sandboxPerson.count({ where: person })) === 0) throw new AppError('not_found')
  await db.sandboxChatMessage.create({
    data: {
      ...person,
      message_id: `sandbox-message-${randomUUID()}`,
      workspace_id: workspaceId,
      chat_id: chatId(account, providerId),
      direction: 'in',
      action_type: 'message',
      text: answerText(providerId),
      at: now,
    },
  })
  await sweepSocialAccounts(() => now, workspaceId)
}

/** How many offers a limited account refuses. */
const REFUSED = 5

/** An action of the network, or of somebody on it, upon an account. */
export async function actInSandboxNetwork(
  workspaceId: string,
  act: z.output<typeof ActInSandboxNetwork.body>,
  now: Date,
): Promise<void> {
  const { does, account } = act
  if (does === 'sign_out') return signOutInSandbox(workspaceId, account)
  if (does === 'limit') return limitInSandbox(workspaceId, account, REFUSED)
  if (does === 'write') return answerInSandbox(workspaceId, account, act.person, now)
  return decideInSandbox(workspaceId, account, act.person, does === 'accept', now)
}
