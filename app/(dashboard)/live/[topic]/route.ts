import { z } from 'zod'
import { ListCampaigns } from '#lib/contracts/campaigns/campaigns'
import { LIVE_TOPICS } from '#lib/contracts/live'
import { roleRefusal } from '#lib/contracts/workspaces/roles'
import { currentUser } from '#lib/http/session'
import { liveVersion } from '#lib/services/instance/live-versions'

const Topic = z.enum(LIVE_TOPICS)

/** Whether anything a page watches has changed: an ETag and nothing else, so that open pages cost next to nothing. */
export async function GET(request: Request, { params }: RouteContext<'/live/[topic]'>) {
  const topic = Topic.safeParse((await params).topic)
  if (!topic.success) return new Response(null, { status: 404 })
  const user = await currentUser()
  if (!user) return new Response(null, { status: 401 })
  // That something changed would tell a client of campaigns that are not theirs.
  if (roleRefusal(user.role, ListCampaigns)) return new Response(null, { status: 403 })
  const etag = `"${await liveVersion(user.workspace_id, topic.data, Date.now())}"`
  const isKnown = request.headers.get('if-none-match') === etag
  return new Response(null, {
    status: isKnown ? 304 : 200,
    headers: { etag, 'cache-control': 'private, no-store' },
  })
}
