import { inWorkspace } from '#lib/contracts/workspaces/workspaces'
import { findImage } from '#lib/services/messages/images'
import { shownToAll } from '../../../shown-to-all.ts'

/** An image of a message, which everybody sees who knows its address. Another one has another. */
export async function GET(_: Request, { params }: RouteContext<'/files/images/[workspace_id]/[file]'>) {
  const { workspace_id, file } = await params
  return shownToAll(await findImage(inWorkspace.parse({ workspace_id }).workspace_id, file))
}
