import { db } from '#lib/db/client'
import { env } from '#lib/env'
import { AppError } from '#lib/errors'
import { createMailbox } from '#lib/services/senders/mailboxes'

/** Connects a mailbox under the owner's own address that submits its mail to this machine's sandbox. */
export async function connectSandbox(user: { workspace_id: string; email: string; name: string }, now: Date) {
  const port = env().SANDBOX_SMTP_PORT
  if (port === undefined) throw new AppError('invalid_state', { message: 'This instance has no sandbox.' })
  return createMailbox(
    user.workspace_id,
    {
      address: user.email,
      name: user.name,
      smtp: { host: '127.0.0.1', port, security: 'none' },
      imap: null,
      daily_limit: 10_000,
      min_interval_seconds: 0,
      ramp_up: null,
      signature: null,
      reply_to: null,
      send_as: null,
      aliases: [],
      save_sent: true,
      sent_folder: null,
    },
    now,
  )
}

const atSandbox = (port: number) => ({
  AND: [{ smtp: { path: ['host'], equals: '127.0.0.1' } }, { smtp: { path: ['port'], equals: port } }],
})

/** The owner's sandbox mailbox, whatever its address. */
export async function findSandboxMailbox(workspaceId: string): Promise<string | null> {
  const port = env().SANDBOX_SMTP_PORT
  if (port === undefined) return null
  const row = await db.mailbox.findFirst({
    where: { workspace_id: workspaceId, ...atSandbox(port) },
    orderBy: { created_at: 'asc' },
    select: { mailbox_id: true },
  })
  return row?.mailbox_id ?? null
}

/** Whether the workspace has mailboxes, but only of the sandbox, so that no mail can leave this instance. */
export async function hasOnlySandbox(workspaceId: string): Promise<boolean> {
  const port = env().SANDBOX_SMTP_PORT
  if (port === undefined || !(await findSandboxMailbox(workspaceId))) return false
  const others = { workspace_id: workspaceId, NOT: atSandbox(port) }
  return (await db.mailbox.count({ where: others })) === 0
}
