import { inWorkspace } from '#lib/contracts/workspaces/workspaces'
import { findLogo } from '#lib/services/workspaces/branding'
import { shownToAll } from '../../../shown-to-all.ts'

/** A workspace's logo, for anybody who knows its URL; a new logo has a new URL. */
export async function GET(_: Request, { params }: RouteContext<'/files/logos/[workspace_id]/[digest]'>) {
  const { workspace_id, digest } = await params
  return shownToAll(await findLogo(inWorkspace.parse({ workspace_id }).workspace_id, digest))
}
