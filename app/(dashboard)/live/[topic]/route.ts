import { z } from 'zod'
import { ListCampaigns } from '#lib/contracts/campaigns/campaigns'
import { pathId } from '#lib/contracts/fields'
import { ReadInboxPresence, ReportInboxPresence } from '#lib/contracts/inbox/inbox-presence'
import { LIVE_TOPICS, PRESENCE_HEADER } from '#lib/contracts/live'
import { roleRefusal } from '#lib/contracts/workspaces/roles'
import { currentUser } from '#lib/http/session'
import { listPresent, reportPresence } from '#lib/services/inbox/thread/presence'
import { liveVersion } from '#lib/services/instance/live-versions'

const Topic = z.enum(LIVE_TOPICS)

/** Whether anything that a page watches has changed: only an ETag, so that open pages cost almost nothing. */
export async function GET(request: Request, { params }: RouteContext<'/live/[topic]'>) {
  const topic = Topic.safeParse((await params).topic)
  if (!topic.success) return new Response(null, { status: 404 })
  const user = await currentUser()
  if (!user) return new Response(null, { status: 401 })
  if (topic.data === 'inbox' && request.headers.has(PRESENCE_HEADER)) return hearInbox(request, user)
  // A change could reveal activity in campaigns a client may not see.
  if (roleRefusal(user.role, ListCampaigns)) return new Response(null, { status: 403 })
  const etag = `"${await liveVersion(user.workspace_id, topic.data, Date.now())}"`
  const isKnown = request.headers.get('if-none-match') === etag
  return new Response(null, {
    status: isKnown ? 304 : 200,
    headers: { etag, 'cache-control': 'private, no-store' },
  })
}

const Report = ReportInboxPresence.body.extend({ thread_id: pathId() })

/**
 * The same for the inbox, including who has which conversation open. The user's own presence is reported in
 * the same request. No link and no page of another origin can send the required header.
 */
async function hearInbox(request: Request, user: NonNullable<Awaited<ReturnType<typeof currentUser>>>) {
  if (roleRefusal(user.role, ReadInboxPresence)) return new Response(null, { status: 403 })
  const now = new Date()
  const report = Report.safeParse(Object.fromEntries(new URL(request.url).searchParams))
  const [version, people] = await Promise.all([
    liveVersion(user.workspace_id, 'inbox', now.getTime()),
    listPresent(user, now),
    report.success && !roleRefusal(user.role, ReportInboxPresence) && reportPresence(user, report.data, now),
  ])
  return Response.json({ version, people }, { headers: { 'cache-control': 'private, no-store' } })
}
