import { notFound, redirect } from 'next/navigation'
import { ReadAccount } from '#lib/contracts/workspaces/account'
import { requireUser } from '#lib/http/session'
import { chooseWorkspace, workspaceOfSlug } from '#lib/services/workspaces/memberships'

/**
 * Opens a page in a workspace, as linked from emails and other tabs; the session switches to that workspace.
 */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ slug: string; path?: string[] }> },
): Promise<Response> {
  // Forces a full page load, so that nothing of one workspace stays visible in another.
  if (request.headers.has('rsc')) return new Response(null)
  const user = await requireUser(ReadAccount)
  const { slug, path = [] } = await params
  const workspaceId = await workspaceOfSlug(user.user_id, slug)
  if (!workspaceId) notFound()
  await chooseWorkspace(user, workspaceId)
  const segments = path.filter((segment) => segment !== '').map(encodeURIComponent)
  redirect(`/${segments.join('/') || 'home'}${new URL(request.url).search}`)
}
