import { inWorkspace } from '#lib/contracts/workspaces/workspaces'
import { findLogo } from '#lib/services/workspaces/branding'
import { shownToAll } from '../../../shown-to-all.ts'

/** The logo of a workspace, which everybody may see who knows its address. A new one has another. */
export async function GET(_: Request, { params }: RouteContext<'/files/logos/[workspace_id]/[digest]'>) {
  const { workspace_id, digest } = await params
  return shownToAll(await findLogo(inWorkspace.parse({ workspace_id }).workspace_id, digest))
}
