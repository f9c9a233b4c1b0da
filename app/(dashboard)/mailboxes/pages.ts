import type { SignedIn } from '#lib/http/session'
import { listMemberships } from '#lib/services/workspaces/memberships'

/** A page in the workspace that it is about; as it is where the browser is there, or they are no member of it. */
export async function pathIn(user: SignedIn, workspaceId: string | null, path: string): Promise<string> {
  if (workspaceId === null || workspaceId === user.workspace_id) return path
  const memberships = await listMemberships(user.user_id)
  const slug = memberships.find(({ workspace_id }) => workspace_id === workspaceId)?.slug
  return slug ? `/w/${slug}${path}` : path
}
