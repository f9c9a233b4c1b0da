import { inWorkspace } from '#lib/contracts/workspaces/workspaces'
import { findImage } from '#lib/services/messages/images'
import { shownToAll } from '../../../shown-to-all.ts'

/** An image in a message, for anybody who knows its URL; the URL never changes its content. */
export async function GET(_: Request, { params }: RouteContext<'/files/images/[workspace_id]/[file]'>) {
  const { workspace_id, file } = await params
  return shownToAll(await findImage(inWorkspace.parse({ workspace_id }).workspace_id, file))
}
