import type { PoolClient } from 'pg'
import type { ReplyAssignment } from '#lib/contracts/workspaces/workspaces'
import { db } from '#lib/db/client'
import { prepared } from '#lib/db/prepared'
import { type Statements, toStatements } from '#lib/db/statements'
import type { Maker } from '#lib/domain/workspaces/maker'
import { ANSWERING_ROLES, type Role } from '#lib/domain/workspaces/roles'
import { invalid } from '#lib/errors'
import type { EditTx } from '#lib/services/instance/versioned-edit'
import { type Notice, tell } from '#lib/services/telling/tell'

export type Colleague = { user_id: string; name: string }

/** Members with these roles, by name. */
export async function listColleagues(workspaceId: string, roles: Role[]): Promise<Colleague[]> {
  const members = await db.member.findMany({
    where: { workspace_id: workspaceId, role: { in: roles } },
    select: { user_id: true, user: { select: { name: true, email: true } } },
    orderBy: [{ user: { name: 'asc' } }, { user_id: 'asc' }],
    take: 200,
  })
  return members.map(({ user_id, user: { name, email } }) => ({ user_id, name: name || email }))
}

/** Everybody to whom a conversation can be assigned. */
export const listAssignees = (workspaceId: string): Promise<Colleague[]> =>
  listColleagues(workspaceId, ANSWERING_ROLES)

/** Locks the member until the assignment is written: removing them waits, and then undoes the assignment. */
export async function requireAssignee(
  tx: EditTx,
  workspaceId: string,
  assigneeId: string | null | undefined,
): Promise<void> {
  if (!assigneeId) return
  const held = await toStatements(tx).query(
    `SELECT 1 FROM members WHERE workspace_id = $1::uuid AND user_id = $2::uuid AND role::text = ANY ($3::text[]) FOR SHARE`,
    [workspaceId, assigneeId, ANSWERING_ROLES],
  )
  if (held.rows.length === 0)
    throw invalid(['body', 'assignee_id'], 'must be an owner, admin or member of the workspace')
}

type Given = Pick<Notice, 'data'> & { campaign_id: string | null; campaign_lead_id: string | null }

const GIVEN = `SELECT t.campaign_id, t.campaign_lead_id,
    jsonb_build_object('thread_id', t.thread_id, 'email', nullif(t.counterpart_address, '')) AS data FROM threads t`

const toNotice = (
  { campaign_id, campaign_lead_id, data }: Given,
  { workspace_id, user_id }: Maker,
  by: string | null,
): Notice => ({
  workspace_id,
  user_id,
  kind: 'assigned',
  ...(campaign_id && { campaign_id }),
  ...(campaign_lead_id && { campaign_lead_id }),
  data: { ...data, by },
})

/**
 * Notifies a member of conversations assigned by somebody else. Must run before the assignment is written,
 * because conversations they already have are no news.
 */
export async function tellAssignee(
  tx: EditTx,
  { workspace_id, user_id }: Maker,
  threadIds: string[],
  assigneeId: string | null | undefined,
): Promise<void> {
  if (!assigneeId || assigneeId === user_id) return
  const client = toStatements(tx)
  const { rows } = await client.query<Given>(
    `${GIVEN} WHERE t.workspace_id = $1::uuid AND t.thread_id = ANY ($2::uuid[]) AND t.assignee_id IS DISTINCT FROM $3::uuid
     ORDER BY t.thread_id FOR NO KEY UPDATE`,
    [workspace_id, threadIds, assigneeId],
  )
  const giver = await tx.user.findUnique({ where: { user_id }, select: { name: true, email: true } })
  const by = giver && (giver.name || giver.email)
  const notices = rows.map((given) => toNotice(given, { workspace_id, user_id: assigneeId }, by))
  await tell(client, [], notices)
}

type Rule = {
  thread_id: string
  workspace_id: string
  campaign_id: string | null
  mailbox_id: string | null
  connected_account_id: string | null
  reply_assignment: ReplyAssignment
  reply_assignees: string[]
}

/** Assigns conversations with new replies that nobody has, by the workspace's rule. */
export async function assignByRule(
  client: PoolClient,
  workspaceId: string,
  threads: readonly { thread_id: string; at: Date }[],
): Promise<void> {
  if (threads.length === 0) return
  const { rows } = await client.query<Rule>(
    prepared(
      `SELECT t.thread_id, t.workspace_id, t.campaign_id, t.mailbox_id, t.connected_account_id, w.reply_assignment,
         w.reply_assignees
       FROM threads t JOIN workspaces w USING (workspace_id)
       WHERE t.workspace_id = $1 AND t.thread_id = ANY ($2::uuid[]) AND t.assignee_id IS NULL
         AND w.reply_assignment <> 'nobody'`,
      [workspaceId, threads.map(({ thread_id }) => thread_id)],
    ),
  )
  // In order of arrival, since members take turns.
  const rules = new Map(rows.map((rule) => [rule.thread_id, rule]))
  for (const { thread_id, at } of threads) {
    const rule = rules.get(thread_id)
    if (rule) await assignNext(client, rule, at)
  }
}

async function assignNext(client: PoolClient, rule: Rule, now: Date): Promise<void> {
  const { workspace_id } = rule
  const userId = await findNext(client, rule, now)
  if (!userId) return
  const thread = [workspace_id, rule.thread_id]
  await client.query(
    prepared('UPDATE threads SET assignee_id = $3 WHERE workspace_id = $1 AND thread_id = $2', [
      ...thread,
      userId,
    ]),
  )
  const given = await client.query<Given>(
    prepared(`${GIVEN} WHERE t.workspace_id = $1 AND t.thread_id = $2`, thread),
  )
  const to = { workspace_id, user_id: userId }
  const notices = given.rows.map((one) => toNotice(one, to, null))
  await tell(client, [], notices)
}

async function findNext(client: Statements, rule: Rule, now: Date): Promise<string | null> {
  if (rule.reply_assignment === 'campaign_maker') return findMaker(client, rule)
  if (rule.reply_assignment === 'round_robin') return takeNext(client, rule, now)
  const reply_assignees = await findSenders(client, rule)
  return (await takeNext(client, { ...rule, reply_assignees }, now)) ?? findMaker(client, rule)
}

/** The member to whom the sending mailbox or account is assigned. */
async function findSenders(
  client: Statements,
  { workspace_id, mailbox_id, connected_account_id }: Rule,
): Promise<string[]> {
  const { rows } = await client.query<{ user_id: string }>(
    `SELECT user_id FROM mailbox_members WHERE workspace_id = $1 AND mailbox_id = $2
     UNION SELECT user_id FROM account_members WHERE workspace_id = $1 AND account_id = $3`,
    [workspace_id, mailbox_id, connected_account_id],
  )
  return rows.map(({ user_id }) => user_id)
}

async function findMaker(client: Statements, { workspace_id, campaign_id }: Rule): Promise<string | null> {
  const { rows } = await client.query<{ user_id: string }>(
    `SELECT m.user_id FROM campaigns c JOIN members m USING (workspace_id, user_id)
     WHERE c.workspace_id = $1 AND c.campaign_id = $2 AND m.role::text = ANY ($3::text[]) FOR SHARE OF m`,
    [workspace_id, campaign_id, ANSWERING_ROLES],
  )
  return rows[0]?.user_id ?? null
}

/** The member who has waited longest for a conversation. */
async function takeNext(
  client: Statements,
  { workspace_id, reply_assignees }: Rule,
  now: Date,
): Promise<string | null> {
  const { rows } = await client.query<{ user_id: string }>(
    `UPDATE members SET last_assigned_at = greatest($4::timestamptz, last_assigned_at + interval '1 millisecond')
     WHERE workspace_id = $1 AND user_id = (
       SELECT user_id FROM members
       WHERE workspace_id = $1 AND user_id = ANY ($2::uuid[]) AND role::text = ANY ($3::text[])
       ORDER BY last_assigned_at NULLS FIRST, user_id LIMIT 1 FOR NO KEY UPDATE)
     RETURNING user_id`,
    [workspace_id, reply_assignees, ANSWERING_ROLES, now],
  )
  return rows[0]?.user_id ?? null
}
