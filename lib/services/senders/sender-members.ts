import type { SenderMember } from '#lib/contracts/senders/sender-members'
import { db, pool } from '#lib/db/client'
import { firstRow } from '#lib/db/page'
import { AppError, type ErrorCode } from '#lib/errors'

type Sender = { workspace_id: string; id: string }
type Given = Omit<SenderMember, 'created_at'> & { created_at: Date }

/** A kind of sender that can be assigned to members: its tables, and how campaigns refer to it. `$2` is the sender. */
type Kind = { missing: ErrorCode; table: string; given: string; key: string; uses: string }
export const MAILBOX: Kind = {
  missing: 'mailbox_not_found',
  table: 'mailboxes',
  given: 'mailbox_members',
  key: 'mailbox_id',
  uses: 'c.alias_ids IS NULL OR c.alias_ids @> to_jsonb($2::text)',
}
export const ACCOUNT: Kind = {
  missing: 'account_not_found',
  table: 'connected_accounts',
  given: 'account_members',
  key: 'account_id',
  uses: `c.connected_account_id = $2::uuid
    OR c.connected_account_id IS NULL AND c.steps_config @> '[{"channel": "social"}]'`,
}

async function requireSender({ table, key, missing }: Kind, { workspace_id, id }: Sender): Promise<void> {
  const { rows } = await pool().query(
    `SELECT 1 FROM ${table} WHERE workspace_id = $1 AND ${key} = $2::uuid`,
    [workspace_id, id],
  )
  if (rows.length === 0) throw new AppError(missing)
}

async function requireMember(workspace_id: string, user_id: string): Promise<void> {
  const where = { workspace_id_user_id: { workspace_id, user_id } }
  if (!(await db.member.findUnique({ where }))) throw new AppError('member_not_found')
}

/** The members that a sender is assigned to, each with those of their campaigns that may use it. */
export async function listSenderMembers(
  kind: Kind,
  sender: Sender,
  { page, page_size }: { page: number; page_size: number },
) {
  await requireSender(kind, sender)
  const all = await givenTo(kind, sender)
  const first = firstRow({ page, page_size })
  return { items: all.slice(first, first + page_size), total: all.length, page, page_size }
}

async function givenTo(kind: Kind, sender: Sender): Promise<Given[]> {
  const { rows } = await pool().query<Given>(
    `SELECT g.user_id, u.name, u.email, g.created_at,
       (SELECT coalesce(json_agg(json_build_object('campaign_id', c.campaign_id, 'name', c.name, 'status', c.status)
          ORDER BY c.created_at), '[]')
        FROM campaigns c WHERE c.workspace_id = $1 AND c.user_id = g.user_id
          AND c.status IN ('scheduled', 'launching', 'active', 'draining', 'paused') AND (${kind.uses})) AS campaigns
     FROM ${kind.given} g JOIN users u USING (user_id)
     WHERE g.workspace_id = $1 AND g.${kind.key} = $2::uuid
     ORDER BY u.name, g.user_id`,
    [sender.workspace_id, sender.id],
  )
  return rows
}

export async function giveSender(kind: Kind, sender: Sender, userId: string): Promise<Given> {
  await requireSender(kind, sender)
  await requireMember(sender.workspace_id, userId)
  await pool().query(
    `INSERT INTO ${kind.given} (workspace_id, ${kind.key}, user_id) VALUES ($1, $2::uuid, $3) ON CONFLICT DO NOTHING`,
    [sender.workspace_id, sender.id, userId],
  )
  const given = (await givenTo(kind, sender)).find(({ user_id }) => user_id === userId)
  if (!given) throw new AppError('member_not_found')
  return given
}

/** Takes a sender from a member. Running campaigns continue: pausing them is left to whoever takes it away. */
export async function takeSender(kind: Kind, sender: Sender, userId: string): Promise<void> {
  await requireSender(kind, sender)
  await requireMember(sender.workspace_id, userId)
  await pool().query(
    `DELETE FROM ${kind.given} WHERE workspace_id = $1 AND ${kind.key} = $2::uuid AND user_id = $3`,
    [sender.workspace_id, sender.id, userId],
  )
}
