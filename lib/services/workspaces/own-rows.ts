import { db, pool } from '#lib/db/client'
import { prepared } from '#lib/db/prepared'
import { type Changed, notYours, type WorkName } from '#lib/domain/workspaces/others-work'
import { changesOwnOnly, type Role } from '#lib/domain/workspaces/roles'
import { AppError } from '#lib/errors'

type Asking = { workspace_id: string; user_id: string; role: Role }

const OF_CAMPAIGN = 'FROM campaigns c JOIN'
const OTHERS_CAMPAIGN = 'c.workspace_id = $1 AND c.user_id <> $3'
const made = (table: string, key: string) =>
  `SELECT 1 FROM ${table} WHERE workspace_id = $1 AND ${key} = $2 AND user_id <> $3`

const NOT_GIVEN = `SELECT 1 FROM connected_accounts a WHERE a.workspace_id = $1 AND a.account_id = $2
  AND NOT EXISTS (SELECT 1 FROM account_members m WHERE m.account_id = a.account_id AND m.user_id = $3)`

/** SQL by kind of id that returns a row if the object $2 of workspace $1 belongs to somebody other than the person $3. */
const OTHERS: Record<WorkName, string> = {
  campaign_id: made('campaigns', 'campaign_id'),
  template_id: made('templates', 'template_id'),
  sender_profile_id: made('sender_profiles', 'id'),
  post_id: made('social_posts', 'id'),
  // A dataset counts as somebody else's if another member's campaign uses it, since leads read their cells from it.
  dataset_id: made('campaigns', 'dataset_id'),
  run_id: `SELECT 1 ${OF_CAMPAIGN} personalization_runs r USING (campaign_id) WHERE r.run_id = $2 AND ${OTHERS_CAMPAIGN}`,
  generation_id: `SELECT 1 ${OF_CAMPAIGN} generations g USING (campaign_id) WHERE g.generation_id = $2 AND ${OTHERS_CAMPAIGN}`,
  thread_id: `SELECT 1 FROM threads t LEFT JOIN campaigns c USING (campaign_id)
    WHERE t.thread_id = $2 AND t.workspace_id = $1 AND c.user_id IS DISTINCT FROM $3 AND t.assignee_id IS DISTINCT FROM $3
      AND NOT EXISTS (SELECT 1 FROM mailbox_members m WHERE m.workspace_id = $1 AND m.mailbox_id = t.mailbox_id AND m.user_id = $3)
      AND NOT EXISTS (SELECT 1 FROM account_members m
        WHERE m.workspace_id = $1 AND m.account_id = t.connected_account_id AND m.user_id = $3)`,
  account_id: NOT_GIVEN,
  connected_account_id: NOT_GIVEN,
  // A link without campaigns belongs to its maker.
  report_link_id: `SELECT 1 FROM report_links r WHERE r.workspace_id = $1 AND r.report_link_id = $2
    AND coalesce((SELECT bool_or(c.user_id <> $3) FROM report_link_campaigns s JOIN campaigns c USING (campaign_id)
      WHERE s.report_link_id = r.report_link_id), r.user_id <> $3)`,
  sandbox_message_id: `SELECT 1 ${OF_CAMPAIGN} actions a USING (campaign_id) JOIN sandbox_messages s ON s.message_id = a.message_id
    WHERE s.sandbox_message_id = $2 AND s.workspace_id = $1 AND a.workspace_id = $1 AND ${OTHERS_CAMPAIGN}`,
}

/** Refuses members who may only change their own work if it is somebody else's. A missing row is left to the operation. */
export async function requireOwnWork(
  { workspace_id, user_id, role }: Asking,
  changed: Changed[],
): Promise<void> {
  for (const one of changed) {
    const message = await whyNotOwn({ workspace_id, user_id, role }, one)
    if (message) throw new AppError('role_insufficient', { message })
  }
}

/** The same check for a campaign's dataset: campaigns of others that use it are affected by changes of its rows. */
export async function requireOwnList(asking: Asking, campaign_id: string): Promise<void> {
  const { workspace_id } = asking
  const campaign = await db.campaign.findFirst({
    where: { workspace_id, campaign_id },
    select: { dataset_id: true },
  })
  if (campaign) await requireOwnWork(asking, [{ name: 'dataset_id', id: campaign.dataset_id }])
}

/** Why a member may not change something, and whom to ask; null if they may, or it does not exist. */
export async function whyNotOwn(
  { workspace_id, user_id, role }: Asking,
  { name, id }: Changed,
): Promise<string | null> {
  if (!changesOwnOnly(role)) return null
  const { rows } = await pool().query(prepared(`${OTHERS[name]} LIMIT 1`, [workspace_id, id, user_id]))
  return rows.length > 0 ? notYours(name) : null
}

/** Which of these the caller may not change because they are somebody else's, and why; null if the caller may change all work. */
export async function findOthers(
  { workspace_id, user_id, role }: Asking,
  name: WorkName,
  ids: string[],
): Promise<{ ids: string[]; reason: string } | null> {
  if (!changesOwnOnly(role)) return null
  const { rows } = await pool().query<{ id: string }>(
    prepared(
      `SELECT asked.id FROM unnest($2::uuid[]) asked (id) WHERE EXISTS (${OTHERS[name].replaceAll('$2', 'asked.id')})`,
      [workspace_id, ids, user_id],
    ),
  )
  return { ids: rows.map(({ id }) => id), reason: notYours(name) }
}
