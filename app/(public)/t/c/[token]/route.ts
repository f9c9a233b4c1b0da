import { trackedLink } from '#lib/services/campaigns/tracking'
import { visited } from '../../visit.ts'

/** A tracked link in an email: redirects to its original target. */
export async function GET(request: Request, { params }: RouteContext<'/t/c/[token]'>) {
  const link = trackedLink((await params).token)
  const headers: Record<string, string> = link ? { Location: new URL(link.url).href } : {}
  return visited(link && { ...link, kind: 'click' }, request, { status: 302, body: null, headers })
}

export const HEAD = GET
