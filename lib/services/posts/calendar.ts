import { db } from '#lib/db/client'
import { readLocalTime } from '#lib/domain/calendar/local-time'
import {
  formatDay,
  loadZone,
  parseDay,
  startOfDay,
  toDay,
  toLocal,
  toWeekday,
} from '#lib/domain/calendar/zoned-time'
import { invalid } from '#lib/errors'
import { shownPost } from '#lib/services/posts/posts'

export async function ownerTimezone(workspaceId: string): Promise<string> {
  return (
    await db.workspace.findUniqueOrThrow({ where: { workspace_id: workspaceId }, select: { timezone: true } })
  ).timezone
}

/** The local time in this zone as YYYY-MM-DDTHH:MM, as forms take it. */
export const wallClock = (at: Date, timezone: string): string =>
  new Date(toLocal(loadZone(timezone), at.getTime())).toISOString().slice(0, 16)

type Timed = { scheduled_at?: Date | null | undefined; scheduled_local?: string | undefined }

/** Replaces a post's `scheduled_local` by the instant it means in the owner's zone. */
export async function onOwnClock<T extends Timed>(workspaceId: string, fields: T): Promise<T> {
  if (fields.scheduled_local === undefined) return fields
  const scheduled_at = readLocalTime(fields.scheduled_local, await ownerTimezone(workspaceId))
  if (!scheduled_at) throw invalid(['body', 'scheduled_local'], 'must be a date and a time')
  return { ...fields, scheduled_at }
}

export type PostSpan = { month?: string | undefined; week?: string | undefined }

/**
 * The first day and number of days to show, and which of them belong to the requested period: the whole weeks of a month from Monday on, or
 * one week.
 */
function findSpan({ month, week }: PostSpan, today: number) {
  if (week !== undefined) {
    const from = parseDay(week) - toWeekday(parseDay(week))
    return { from, count: 7, first: from, next: from + 7 }
  }
  const first = parseDay(`${month ?? formatDay(today).slice(0, 7)}-01`)
  const next = parseDay(`${formatDay(first + 31).slice(0, 7)}-01`)
  const from = first - toWeekday(first)
  return { from, count: Math.ceil((next - from) / 7) * 7, first, next }
}

/**
 * The days of a month (YYYY-MM), or of the week that contains a day (YYYY-MM-DD), each with the posts that are or were published on it in
 * the owner's zone.
 */
export async function postCalendar(workspaceId: string, asked: PostSpan, now: Date) {
  const timezone = await ownerTimezone(workspaceId)
  const zone = loadZone(timezone)
  const today = toDay(zone, now.getTime())
  const { from, count, first, next } = findSpan(asked, today)
  const between = {
    gte: new Date(startOfDay(zone, from)),
    lt: new Date(startOfDay(zone, from + count)),
  }
  const rows = await db.socialPost.findMany({
    where: {
      workspace_id: workspaceId,
      OR: [
        { published_at: between },
        { published_at: null, scheduled_at: between, status: { not: 'draft' } },
      ],
    },
    include: { attachments: true },
    take: 1_000,
  })
  const posts = rows
    .map((row) => ({ at: row.published_at ?? row.scheduled_at ?? row.created_at, post: shownPost(row, now) }))
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
  const days = Array.from({ length: count }, (_, index) => {
    const day = from + index
    return {
      date: formatDay(day),
      in_month: day >= first && day < next,
      is_today: day === today,
      is_over: day < today,
      posts: posts
        .filter(({ at }) => toDay(zone, at.getTime()) === day)
        .map(({ at, post }) => ({ at, time: wallClock(at, timezone).slice(11), post })),
    }
  })
  return {
    timezone,
    now_local: wallClock(now, timezone),
    month: formatDay(first).slice(0, 7),
    week: formatDay(today >= first && today < next ? today : first),
    before: formatDay(first - 1),
    after: formatDay(next),
    days,
  }
}
