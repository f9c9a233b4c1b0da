import type { z } from 'zod'
import type { IntentRules, ReplaceIntentRules } from '#lib/contracts/inbox/intent-rules'
import { db } from '#lib/db/client'
import type { IntentRuleModel } from '#lib/db/generated/models'
import { prepared } from '#lib/db/prepared'
import type { Statements } from '#lib/db/statements'
import { toStatements } from '#lib/db/statements'
import { defaultRule, type IntentRule, isRuled, RULED_INTENTS } from '#lib/domain/inbox/intent/intent-rules'
import type { Intent } from '#lib/domain/inbox/intent/intents'
import { notYours } from '#lib/domain/workspaces/others-work'
import { changesOwnOnly } from '#lib/domain/workspaces/roles'
import { AppError, invalid } from '#lib/errors'
import type { Asking } from '#lib/services/campaigns/client-access'
import { requireAssignee } from '#lib/services/inbox/thread/assignment'
import { createMissingLabels } from '#lib/services/inbox/thread/labels'
import { type EditTx, edit } from '#lib/services/instance/versioned-edit'

type Given = z.output<typeof ReplaceIntentRules.body>
type Place = { workspace_id: string; campaign_id: string | null }

type Asked = { workspace_id: string; campaign_id: string | null; intent: Intent | null }

/**
 * The rule that applies to each reply's intent in its campaign: the campaign's own, else the workspace's;
 * null if there is none. `T` names columns of `intent_rules`.
 */
export async function rulesFor<T extends object = IntentRule>(
  client: Statements,
  asked: readonly Asked[],
  columns = 'does, hold_days, branch_campaign_id',
): Promise<(T | null)[]> {
  const ruled = asked.filter(({ intent }) => isRuled(intent))
  if (ruled.length === 0) return asked.map(() => null)
  const { rows } = await client.query<T & { place: number }>(
    prepared(
      `SELECT DISTINCT ON (a.place) a.place, ${columns}
       FROM unnest($1::int[], $2::uuid[], $3::uuid[], $4::"Intent"[]) a (place, of_workspace, of_campaign, said)
         JOIN intent_rules r ON r.workspace_id = a.of_workspace AND r.intent = a.said
           AND (r.campaign_id = a.of_campaign OR r.campaign_id IS NULL)
       ORDER BY a.place, r.campaign_id NULLS LAST`,
      [
        ruled.map((one) => asked.indexOf(one)),
        ruled.map(({ workspace_id }) => workspace_id),
        ruled.map(({ campaign_id }) => campaign_id),
        ruled.map(({ intent }) => intent),
      ],
    ),
  )
  const rules = new Map(rows.map((row) => [row.place, row]))
  return asked.map((_, place) => rules.get(place) ?? null)
}

export async function readIntentRules(
  { workspace_id, user_id }: Asking,
  campaignId: string | null,
): Promise<IntentRules> {
  const { version } =
    campaignId === null
      ? await db.workspace.findUniqueOrThrow({ where: { workspace_id } })
      : await requireCampaign(workspace_id, campaignId)
  const own = campaignId === null ? [] : [{ campaign_id: campaignId }]
  const rows = await db.intentRule.findMany({ where: { workspace_id, OR: [{ campaign_id: null }, ...own] } })
  const rules = RULED_INTENTS.map((intent) => {
    const named = rows.filter((row) => row.intent === intent)
    const row = named.find(({ campaign_id }) => campaign_id !== null) ?? named[0]
    if (!row) return { ...NOTHING, ...defaultRule(intent), intent, from: 'default' as const }
    const { does, hold_days, branch_campaign_id, assignee_id, label, notify_ids } = row
    const from = row.campaign_id === null ? ('workspace' as const) : ('campaign' as const)
    return { intent, does, hold_days, branch_campaign_id, assignee_id, label, notify_ids, from }
  })
  return { workspace_id, user_id, campaign_id: campaignId, rules, version }
}

const NOTHING = { assignee_id: null, label: null, notify_ids: [] } satisfies Partial<IntentRuleModel>

async function requireCampaign(workspace_id: string, campaign_id: string) {
  const campaign = await db.campaign.findFirst({ where: { workspace_id, campaign_id } })
  if (!campaign) throw new AppError('campaign_not_found')
  return campaign
}

/** Replaces all rules of the workspace, or of one campaign. */
export async function replaceIntentRules(user: Asking, campaignId: string | null, { rules, version }: Given) {
  const { workspace_id } = user
  const place: Place = { workspace_id, campaign_id: campaignId }
  if (campaignId !== null) await requireCampaign(workspace_id, campaignId)
  for (const { branch_campaign_id } of rules) await requireBranch(user, branch_campaign_id)
  const key = { workspace_id, ...(campaignId !== null && { campaign_id: campaignId }) }
  await edit({
    table: campaignId === null ? 'workspaces' : 'campaigns',
    key,
    version,
    missing: campaignId === null ? 'workspace_not_found' : 'campaign_not_found',
    current: () => readIntentRules(user, campaignId),
    write: (tx) => writeRules(tx, place, rules),
  })
  return readIntentRules(user, campaignId)
}

async function writeRules(tx: EditTx, place: Place, rules: Given['rules']): Promise<void> {
  const { workspace_id } = place
  for (const { assignee_id, notify_ids } of rules) {
    await requireAssignee(tx, workspace_id, assignee_id)
    await requireMembers(toStatements(tx), workspace_id, notify_ids)
  }
  await createMissingLabels(
    tx,
    workspace_id,
    rules.flatMap(({ label }) => label ?? []),
  )
  await tx.intentRule.deleteMany({ where: place })
  await tx.intentRule.createMany({
    data: rules.map((rule) => ({
      ...rule,
      ...place,
      hold_days: rule.does === 'hold' ? rule.hold_days : null,
      branch_campaign_id: rule.does === 'branch' ? rule.branch_campaign_id : null,
    })),
  })
}

/** The campaigns to which a rule of this user may add people, by name. */
export const listBranchTargets = ({ workspace_id, user_id, role }: Asking) =>
  db.campaign.findMany({
    where: { workspace_id, status: { not: 'failed' }, ...(changesOwnOnly(role) && { user_id }) },
    select: { campaign_id: true, name: true },
    orderBy: [{ name: 'asc' }, { campaign_id: 'asc' }],
    take: 500,
  })

/** A user who may change only their own campaigns cannot add people to another user's campaign. */
async function requireBranch(user: Asking, campaignId: string | null): Promise<void> {
  if (campaignId === null) return
  const { user_id } = await requireCampaign(user.workspace_id, campaignId)
  if (changesOwnOnly(user.role) && user_id !== user.user_id)
    throw new AppError('role_insufficient', { message: notYours('campaign_id') })
}

async function requireMembers(client: Statements, workspaceId: string, ids: string[]): Promise<void> {
  const { rows } = await client.query(
    prepared('SELECT 1 FROM members WHERE workspace_id = $1::uuid AND user_id = ANY ($2::uuid[])', [
      workspaceId,
      ids,
    ]),
  )
  if (rows.length < new Set(ids).size)
    throw invalid(['body', 'rules'], 'must notify members of the workspace')
}
