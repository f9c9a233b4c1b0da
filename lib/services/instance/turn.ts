import type { Prisma } from '#lib/db/generated/client'
import { AppError } from '#lib/errors'

export type Here = { workspace_id: string }

/** What is asked of a workspace is asked in it: the caller's role is the one that they have there. */
export function requireHere(user: Here, workspaceId: string): void {
  if (user.workspace_id !== workspaceId) throw new AppError('workspace_not_found')
}

/**
 * Of two changes at once of who belongs to a workspace, or of its keys, one waits: both would see another owner, or room for
 * one more. Workers that write rows of the workspace do not wait for it.
 */
export const takeTurn = (tx: Prisma.TransactionClient, workspaceId: string) =>
  tx.$queryRaw`SELECT workspace_id FROM workspaces WHERE workspace_id = ${workspaceId}::uuid FOR NO KEY UPDATE`
