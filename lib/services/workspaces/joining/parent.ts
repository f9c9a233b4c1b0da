import type { z } from 'zod'
import { Agency, type LeaveParent, type SetParent, type UpdateAgency } from '#lib/contracts/workspaces/agency'
import { db } from '#lib/db/client'
import { Prisma } from '#lib/db/generated/client'
import { AppError, invalid } from '#lib/errors'
import { type Here, requireHere, takeTurn } from '#lib/services/instance/turn'
import { type EditTx, edit } from '#lib/services/instance/versioned-edit'

type Asking = Here & { user_id: string }
type Tx = Prisma.TransactionClient | typeof db

const RELATED = { workspace_id: true, name: true } as const
const SHOWN = {
  ...RELATED,
  share_unsubscribes: true,
  billed_by_parent: true,
  version: true,
  parent: { select: RELATED },
  children: {
    select: { ...RELATED, billed_by_parent: true },
    orderBy: [{ name: 'asc' }, { workspace_id: 'asc' }],
  },
} satisfies Prisma.WorkspaceSelect

export async function readAgency(user: Here, workspaceId: string) {
  requireHere(user, workspaceId)
  return loadAgency(db, workspaceId)
}

async function loadAgency(tx: Tx, workspaceId: string) {
  const workspace = await tx.workspace.findUniqueOrThrow({
    where: { workspace_id: workspaceId },
    select: SHOWN,
  })
  const { parent, children } = workspace
  const [inherited_suppressions, template_campaigns, drafts] = await Promise.all([
    parent ? countInherited(tx, workspaceId) : 0,
    parent ? loadTemplateCampaigns(tx, workspaceId) : [],
    children.length > 0 ? countDrafts(tx, workspaceId) : new Map<string, number>(),
  ])
  return {
    ...workspace,
    children: children.map((child) => ({
      ...child,
      drafts_with_templates: drafts.get(child.workspace_id) ?? 0,
    })),
    template_campaigns,
    inherited_suppressions,
  }
}

/** Campaigns (`c`) that use a template of the parent. */
const NAMES_INHERITED = Prisma.sql`EXISTS (
  SELECT 1 FROM templates_named(c.steps_config) named (template_id) JOIN usable_templates t USING (template_id)
  WHERE t.workspace_id = c.workspace_id AND t.kept_in <> c.workspace_id)`

const loadTemplateCampaigns = (tx: Tx, workspaceId: string) =>
  tx.$queryRaw<Agency['template_campaigns']>`
    SELECT c.campaign_id, c.name, c.status::text AS status, c.status NOT IN ('draft', 'failed') AS keeps_text
    FROM campaigns c WHERE c.workspace_id = ${workspaceId}::uuid AND c.status <> 'completed' AND ${NAMES_INHERITED}
    ORDER BY keeps_text, c.created_at DESC, c.campaign_id DESC LIMIT 100`

/** By child workspace. */
async function countDrafts(tx: Tx, workspaceId: string): Promise<Map<string, number>> {
  const rows = await tx.$queryRaw<{ workspace_id: string; count: number }[]>`
    SELECT c.workspace_id, count(*)::int AS count
    FROM workspaces child JOIN campaigns c ON c.workspace_id = child.workspace_id
    WHERE child.parent_workspace_id = ${workspaceId}::uuid AND c.status IN ('draft', 'failed') AND ${NAMES_INHERITED}
    GROUP BY c.workspace_id`
  return new Map(rows.map(({ workspace_id, count }) => [workspace_id, count]))
}

/** Counts suppressions that only the parent has. */
async function countInherited(tx: Tx, workspaceId: string): Promise<number> {
  const rows = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM workspaces own
    JOIN suppressions above ON above.workspace_id = own.parent_workspace_id
    WHERE own.workspace_id = ${workspaceId}::uuid AND NOT EXISTS (
      SELECT 1 FROM suppressions s WHERE s.workspace_id = own.workspace_id AND s.value = above.value)`
  return rows[0]?.count ?? 0
}

export async function updateAgency(
  user: Here,
  workspaceId: string,
  { version, ...data }: z.output<typeof UpdateAgency.body>,
) {
  requireHere(user, workspaceId)
  const where = { workspace_id: workspaceId }
  await edit({
    table: 'workspaces',
    key: where,
    version,
    missing: 'workspace_not_found',
    current: async () => Agency.parse(await loadAgency(db, workspaceId)),
    write: (tx) => tx.workspace.update({ where, data }),
  })
  return loadAgency(db, workspaceId)
}

/** Locks in one order, so that of two workspaces that become each other's parent at once only one succeeds. */
async function takeTurns(tx: EditTx, ...workspaceIds: string[]): Promise<void> {
  for (const id of workspaceIds.toSorted()) await takeTurn(tx, id)
}

export async function setParent(
  user: Asking,
  workspaceId: string,
  { parent_workspace_id, version }: z.output<typeof SetParent.body>,
) {
  requireHere(user, workspaceId)
  if (parent_workspace_id === workspaceId)
    throw invalid(['body', 'parent_workspace_id'], 'must be another workspace')
  const where = { workspace_id: workspaceId }
  await edit({
    table: 'workspaces',
    key: where,
    version,
    missing: 'workspace_not_found',
    current: async () => Agency.parse(await loadAgency(db, workspaceId)),
    first: async (tx) => {
      await takeTurns(tx, workspaceId, parent_workspace_id)
      await requireOwner(tx, user.user_id, workspaceId)
      await requireOwner(tx, user.user_id, parent_workspace_id)
      await requireOneLevel(tx, workspaceId, parent_workspace_id)
    },
    write: async (tx) => {
      // It pays for itself until set otherwise; an earlier paying parent may be gone.
      await tx.workspace.updateMany({
        where: { ...where, parent_workspace_id: null },
        data: { billed_by_parent: false },
      })
      return tx.workspace.update({ where, data: { parent_workspace_id } })
    },
  })
  return loadAgency(db, workspaceId)
}

/** A workspace of another owner is reported as missing. */
async function requireOwner(tx: EditTx, user_id: string, workspace_id: string): Promise<void> {
  const member = await tx.member.findUnique({ where: { workspace_id_user_id: { workspace_id, user_id } } })
  if (!member) throw new AppError('workspace_not_found')
  if (member.role !== 'owner')
    throw new AppError('role_insufficient', { message: 'You must own both workspaces.' })
}

async function requireOneLevel(tx: EditTx, workspaceId: string, parentId: string): Promise<void> {
  const loadParentId = async (workspace_id: string) =>
    (await tx.workspace.findUniqueOrThrow({ where: { workspace_id } })).parent_workspace_id
  const current = await loadParentId(workspaceId)
  if (current !== null && current !== parentId) throw new AppError('has_parent')
  if ((await tx.workspace.count({ where: { parent_workspace_id: workspaceId } })) > 0)
    throw new AppError('has_children')
  if ((await loadParentId(parentId)) !== null) throw new AppError('parent_has_parent')
}

/** Called from the child or its parent. The parent's suppressions stay in force unless lifting them was requested. */
export async function leaveParent(
  user: Here,
  workspaceId: string,
  { suppressions }: z.output<typeof LeaveParent.query>,
  now: Date,
): Promise<void> {
  const isOwn = user.workspace_id === workspaceId
  const where = {
    workspace_id: workspaceId,
    ...(isOwn ? {} : { parent_workspace_id: user.workspace_id }),
  }
  await db.$transaction(async (tx) => {
    const child = await tx.workspace.findFirst({ where })
    if (!child) throw new AppError('workspace_not_found')
    if (!child.parent_workspace_id) throw new AppError('has_no_parent')
    await takeTurns(tx, workspaceId, child.parent_workspace_id)
    const count = suppressions ? 0 : await countInherited(tx, workspaceId)
    if (count > 0)
      throw new AppError('suppressions_would_end', {
        message: `${count} ${count === 1 ? 'address or domain is' : 'addresses and domains are'} suppressed only by the parent. Copy them, or allow contacting them again.`,
      })
    if (suppressions === 'copy') await copySuppressions(tx, workspaceId, now)
    await tx.workspace.updateMany({
      where,
      data: { parent_workspace_id: null, billed_by_parent: false, version: { increment: 1 } },
    })
  })
}

function copySuppressions(tx: EditTx, workspaceId: string, now: Date) {
  return tx.$executeRaw`
    INSERT INTO suppressions (workspace_id, value, reason, created_at)
    SELECT child.workspace_id, above.value, above.reason, ${now}::timestamptz FROM workspaces child
    JOIN suppressions above ON above.workspace_id = child.parent_workspace_id
    WHERE child.workspace_id = ${workspaceId}::uuid ORDER BY above.value
    ON CONFLICT (workspace_id, value) DO NOTHING`
}
