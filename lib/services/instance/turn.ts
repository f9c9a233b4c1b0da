import type { Prisma } from '#lib/db/generated/client'
import { AppError } from '#lib/errors'

export type Here = { workspace_id: string }

/** Requests about a workspace must be made in it, because the caller's role is the one they have there. */
export function requireHere(user: Here, workspaceId: string): void {
  if (user.workspace_id !== workspaceId) throw new AppError('workspace_not_found')
}

/**
 * Serializes changes of a workspace's members and API keys: two at once could each see another owner, or room for one more. Workers that
 * write rows of the workspace do not wait for it.
 */
export const takeTurn = (tx: Prisma.TransactionClient, workspaceId: string) =>
  tx.$queryRaw`SELECT workspace_id FROM workspaces WHERE workspace_id = ${workspaceId}::uuid FOR NO KEY UPDATE`
