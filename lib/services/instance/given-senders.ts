import { db } from '#lib/db/client'
import type { Maker } from '#lib/domain/workspaces/maker'
import { changesOwnOnly, type Role } from '#lib/domain/workspaces/roles'
import { AppError } from '#lib/errors'

/** The fields of a campaign that decide which senders it may use. */
type Sending = Maker & {
  alias_ids: string[] | null
  connected_account_id: string | null
  steps_config: { channel: string }[]
}
type NotGiven = { code: 'mailbox_not_given' | 'account_not_given'; message: string }

/** Null for users who may use every sender; else the name of the user who is limited to the senders given to them. */
async function limitedMaker({ workspace_id, user_id }: Maker): Promise<string | null> {
  const member = await db.member.findUnique({
    where: { workspace_id_user_id: { workspace_id, user_id } },
    select: { role: true, user: { select: { name: true, email: true } } },
  })
  return member && changesOwnOnly(member.role) ? member.user.name || member.user.email : null
}

/** The mailboxes a user's campaigns may send from; null: every one. */
export async function givenMailboxes(maker: Maker): Promise<string[] | null> {
  if ((await limitedMaker(maker)) === null) return null
  const { workspace_id, user_id } = maker
  const given = await db.mailboxMember.findMany({
    where: { workspace_id, user_id },
    orderBy: { mailbox_id: 'asc' },
  })
  return given.map(({ mailbox_id }) => mailbox_id)
}

/** The accounts a user's campaigns may act from; null: every one. */
export async function givenAccounts(maker: Maker): Promise<string[] | null> {
  return (await limitedMaker(maker)) === null ? null : accountsGivenTo(maker)
}

/** The caller, with the role of the request, which for an API key may be lower than their own. */
export type Asking = Maker & { role: Role }

/** The accounts a user may act from now; null: every one. */
export const accountsFor = async (asking: Asking): Promise<string[] | null> =>
  changesOwnOnly(asking.role) ? accountsGivenTo(asking) : null

async function accountsGivenTo({ workspace_id, user_id }: Maker): Promise<string[]> {
  const given = await db.accountMember.findMany({
    where: { workspace_id, user_id },
    orderBy: { account_id: 'asc' },
  })
  return given.map(({ account_id }) => account_id)
}

/** The campaign's senders that its maker was not given; empty for campaigns of admins. */
export async function sendersNotGiven(campaign: Sending): Promise<NotGiven[]> {
  const maker = await limitedMaker(campaign)
  if (maker === null) return []
  const [mailboxes, accounts] = await Promise.all([
    mailboxesNotGiven(campaign, maker),
    accountsNotGiven(campaign, maker),
  ])
  return [...mailboxes, ...accounts]
}

const usesChannel = ({ steps_config }: Sending, channel: string) =>
  steps_config.some((step) => step.channel === channel)

async function mailboxesNotGiven(campaign: Sending, maker: string): Promise<NotGiven[]> {
  const { workspace_id, user_id, alias_ids } = campaign
  if (!usesChannel(campaign, 'email')) return []
  const code = 'mailbox_not_given'
  if (alias_ids === null)
    return [{ code, message: `Choose the mailboxes. ${maker} can send only from mailboxes given to them.` }]
  const rows = await db.mailbox.findMany({
    where: { workspace_id, mailbox_id: { in: alias_ids }, members: { none: { user_id } } },
    orderBy: { address: 'asc' },
    select: { address: true },
  })
  return rows.map(({ address }) => ({ code, message: `${maker} has no access to ${address}. Ask an admin.` }))
}

async function accountsNotGiven(campaign: Sending, maker: string): Promise<NotGiven[]> {
  const { workspace_id, user_id, connected_account_id } = campaign
  if (!usesChannel(campaign, 'social')) return []
  const code = 'account_not_given'
  if (connected_account_id === null)
    return [{ code, message: `Choose the account. ${maker} can use only accounts given to them.` }]
  const account = await db.connectedAccount.findFirst({
    where: { workspace_id, account_id: connected_account_id, members: { none: { user_id } } },
  })
  return account ? [{ code, message: `${maker} has no access to ${account.name}. Ask an admin.` }] : []
}

/** Refuses a campaign with senders that its maker was not given. */
export async function requireGiven(campaign: Sending): Promise<void> {
  const problems = await sendersNotGiven(campaign)
  if (problems.length > 0)
    throw new AppError('sender_not_given', { message: problems.map(({ message }) => message).join(' ') })
}
