import { inWorkspace } from '#lib/contracts/workspaces/workspaces'
import { findLogo } from '#lib/services/workspaces/branding'

/** No script runs in it, and no browser guesses what it is. */
const SAFE = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Referrer-Policy': 'no-referrer',
}

/** The logo of a workspace, which everybody may see who knows its address. A new one has another. */
export async function GET(_: Request, { params }: RouteContext<'/files/logos/[workspace_id]/[digest]'>) {
  const { workspace_id, digest } = await params
  const logo = await findLogo(inWorkspace.parse({ workspace_id }).workspace_id, digest)
  if (!logo)
    return new Response('Not found', { status: 404, headers: { ...SAFE, 'Cache-Control': 'no-store' } })
  return new Response(logo.bytes, {
    headers: {
      ...SAFE,
      'Content-Type': logo.content_type,
      'Cache-Control': 'public, max-age=31536000, immutable',
    },
  })
}
