import type { Pool } from 'pg'
import type { MailAddress, OutgoingMail } from '#lib/providers/mail/port'

export type MailSender = Pick<OutgoingMail, 'from' | 'reply_to'>

/** As whom the instance writes for a workspace: the address stays its own, name and reply address are the workspace's. */
export async function loadMailSender(
  pool: Pool,
  workspaceId: string | null,
  own: MailAddress,
): Promise<MailSender> {
  const { rows } = await pool.query<{ name: string | null; reply_to: string | null }>(
    'SELECT coalesce(sender_name, name) AS name, reply_to FROM effective_brandings WHERE workspace_id = $1',
    [workspaceId],
  )
  const [branding] = rows
  return {
    from: { ...own, name: branding?.name ?? own.name },
    reply_to: branding?.reply_to ? { name: null, address: branding.reply_to } : null,
  }
}
