import type { db } from '#lib/db/client'
import type { Prisma } from '#lib/db/generated/client'
import type { Tier } from '#lib/db/generated/enums'
import { AppError } from '#lib/errors'

type Tx = Prisma.TransactionClient | typeof db

const API_KEYS: Record<Tier, number> = { free: 2, starter: 5, growth: 20, scale: 100 }

/** The columns that determine whose tier a workspace has. */
export const TIER_OF = {
  tier: true,
  billed_by_parent: true,
  parent: { select: { workspace_id: true, name: true, tier: true } },
} satisfies Prisma.WorkspaceSelect

/** The same as SQL over `workspaces w`, for statements that every request begins with. */
export const TIER = 'coalesce(payer.tier, w.tier)'
export const JOIN_PAYER =
  'LEFT JOIN workspaces payer ON w.billed_by_parent AND payer.workspace_id = w.parent_workspace_id'

type Payer = { workspace_id: string; name: string; tier: Tier }
type Billed = { tier: Tier; billed_by_parent: boolean; parent: Payer | null }

/** The parent that pays for a workspace; null if it pays for itself. */
export const findPayer = ({ billed_by_parent, parent }: Billed): Payer | null =>
  billed_by_parent ? parent : null

/** The tier of the payer, or the workspace's own. */
export const effectiveTier = (workspace: Billed): Tier => (findPayer(workspace) ?? workspace).tier

/** A workspace's contribution to its plan. A rolled key is not counted: it expires soon, and its replacement took its place. */
export type Share = { workspace_id: string; name: string; extra_api_keys: number; active_keys: number }

/** The paying workspace first, then the children it pays for. */
export const loadShares = (tx: Tx, payerId: string, now: Date) =>
  tx.$queryRaw<Share[]>`
    WITH paid AS (
      SELECT workspace_id, name, extra_api_keys, 0 AS level FROM workspaces WHERE workspace_id = ${payerId}::uuid
      UNION ALL SELECT child.workspace_id, child.name, child.extra_api_keys, 1 FROM workspaces child
      WHERE child.parent_workspace_id = ${payerId}::uuid AND child.billed_by_parent)
    SELECT paid.workspace_id, paid.name, paid.extra_api_keys,
      (SELECT count(*)::int FROM api_keys k WHERE k.workspace_id = paid.workspace_id AND k.revoked_at IS NULL
        AND (k.expires_at IS NULL OR k.expires_at > ${now}::timestamptz) AND k.replaced_by IS NULL) AS active_keys
    FROM paid ORDER BY paid.level, paid.name, paid.workspace_id`

/** What `tier` allows these workspaces together, and how much of it is in use. */
export function toPlan(tier: Tier, shares: Share[]) {
  const sum = (count: (share: Share) => number) => shares.reduce((total, share) => total + count(share), 0)
  return {
    tier,
    tier_limit: API_KEYS[tier] + sum(({ extra_api_keys }) => extra_api_keys),
    active_keys: sum(({ active_keys }) => active_keys),
  }
}

/** The plan that applies to a workspace, and who pays for it if that is another one. */
export async function loadPlan(tx: Tx, workspaceId: string, now: Date) {
  const workspace = await tx.workspace.findUniqueOrThrow({
    where: { workspace_id: workspaceId },
    select: TIER_OF,
  })
  const payer = findPayer(workspace)
  const shares = await loadShares(tx, payer?.workspace_id ?? workspaceId, now)
  return { payer, shares, ...toPlan(effectiveTier(workspace), shares) }
}

/**
 * 403 if the plan has no room for another key. Holds a lock on the plan until the transaction ends, so that no other workspace under the
 * plan takes the last place. The caller has locked its own workspace row, so the payer cannot change meanwhile. The plan's lock is separate
 * from workspace rows: otherwise a key of a child and a change of its parent could deadlock.
 */
export async function requirePlaceForKey(
  tx: Prisma.TransactionClient,
  workspaceId: string,
  now: Date,
): Promise<void> {
  const where = { workspace_id: workspaceId }
  const payer = findPayer(await tx.workspace.findUniqueOrThrow({ where, select: TIER_OF }))
  const plan = `plan:${payer?.workspace_id ?? workspaceId}`
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${plan}, 0))`
  const { tier_limit, active_keys } = await loadPlan(tx, workspaceId, now)
  if (active_keys < tier_limit) return
  if (!payer) throw new AppError('tier_limit_reached')
  throw new AppError('tier_limit_reached', {
    message: `${payer.name} pays for this workspace, and all ${tier_limit} API keys of its plan are in use. Revoke one first.`,
  })
}
