import { TIMEZONES } from '#lib/contracts/fields'
import { db } from '#lib/db/client'
import { hasSandbox } from '#lib/services/senders/sandbox'
import { connectSandbox } from '#lib/services/senders/sandbox-mailbox'

type NewAccount = { user_id: string; name: string; email: string }

/** Not the person's own address, which stays free for the real mailbox that they connect later. */
const sandboxAddress = (email: string) => {
  const [name = ''] = email.split('@')
  return `${/^[a-z0-9._-]{1,40}$/i.test(name) ? name.toLowerCase() : 'me'}@sandbox.example`
}

/**
 * Equips a new account: the browser's time zone and, if there is a sandbox, a mailbox to try it with. A workspace that already has either
 * (taken over from the demo account) keeps it.
 */
export async function equipAccount(account: NewAccount, timezone: string | undefined, now: Date) {
  const home = await db.member.findFirst({
    where: { user_id: account.user_id, role: 'owner' },
    orderBy: [{ created_at: 'asc' }, { workspace_id: 'asc' }],
    select: { workspace_id: true },
  })
  if (!home) return
  const { workspace_id } = home
  if (timezone && TIMEZONES.has(timezone))
    await db.workspace.updateMany({ where: { workspace_id, timezone: 'UTC' }, data: { timezone } })
  if (!hasSandbox() || (await db.mailbox.count({ where: { workspace_id } })) > 0) return
  await connectSandbox({ workspace_id, name: account.name, email: sandboxAddress(account.email) }, now)
}
