import { z } from 'zod'
import { ListCampaigns } from '#lib/contracts/campaigns/campaigns'
import { ReadInboxPresence } from '#lib/contracts/inbox/inbox-presence'
import { LIVE_TOPICS } from '#lib/contracts/live'
import { roleRefusal } from '#lib/contracts/workspaces/roles'
import { currentUser } from '#lib/http/session'
import { listPresent } from '#lib/services/inbox/thread/presence'
import { liveVersion } from '#lib/services/instance/live-versions'

const Topic = z.enum(LIVE_TOPICS)

/**
 * Whether anything a page watches has changed: an ETag and nothing else, so that open pages cost next to nothing. Of the inbox
 * with `?people` the version, and who has which conversation open.
 */
export async function GET(request: Request, { params }: RouteContext<'/live/[topic]'>) {
  const topic = Topic.safeParse((await params).topic)
  if (!topic.success) return new Response(null, { status: 404 })
  const user = await currentUser()
  if (!user) return new Response(null, { status: 401 })
  // That something changed would tell a client of campaigns that are not theirs.
  if (roleRefusal(user.role, ListCampaigns)) return new Response(null, { status: 403 })
  if (topic.data === 'inbox' && new URL(request.url).searchParams.has('people'))
    return roleRefusal(user.role, ReadInboxPresence)
      ? new Response(null, { status: 403 })
      : Response.json(await readInbox(user), { headers: { 'cache-control': 'private, no-store' } })
  const etag = `"${await liveVersion(user.workspace_id, topic.data, Date.now())}"`
  const isKnown = request.headers.get('if-none-match') === etag
  return new Response(null, {
    status: isKnown ? 304 : 200,
    headers: { etag, 'cache-control': 'private, no-store' },
  })
}

async function readInbox(user: Parameters<typeof listPresent>[0]) {
  const now = new Date()
  const [version, people] = await Promise.all([
    liveVersion(user.workspace_id, 'inbox', now.getTime()),
    listPresent(user, now),
  ])
  return { version, people }
}
