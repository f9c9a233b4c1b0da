import { notFound, redirect } from 'next/navigation'
import { ReadAccount } from '#lib/contracts/workspaces/account'
import { requireUser } from '#lib/http/session'
import { chooseWorkspace, workspaceOfSlug } from '#lib/services/workspaces/memberships'

/** A page in one workspace, as mails and other tabs name it: the browser is at work there from then on. */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ slug: string; path?: string[] }> },
): Promise<Response> {
  // The router is told to load a whole page: nothing of the one workspace may stay on the screen of the other.
  if (request.headers.has('rsc')) return new Response(null)
  const user = await requireUser(ReadAccount)
  const { slug, path = [] } = await params
  const workspaceId = await workspaceOfSlug(user.user_id, slug)
  if (!workspaceId) notFound()
  await chooseWorkspace(user, workspaceId)
  const segments = path.filter((segment) => segment !== '').map(encodeURIComponent)
  redirect(`/${segments.join('/') || 'home'}${new URL(request.url).search}`)
}
