import { db } from '#lib/db/client'
import {
  formatDay,
  loadZone,
  parseDay,
  startOfDay,
  toDay,
  toInstant,
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

/** YYYY-MM-DDTHH:MM of a clock in this zone, as forms take it. */
export const wallClock = (at: Date, timezone: string): string =>
  new Date(toLocal(loadZone(timezone), at.getTime())).toISOString().slice(0, 16)

/** The instant that a form's YYYY-MM-DDTHH:MM means in this zone; the first one where a clock shows it twice. */
function instantOfWall(wall: string, timezone: string): Date {
  const local = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(wall) ? Date.parse(`${wall}Z`) : Number.NaN
  if (Number.isNaN(local)) throw invalid(['body', 'scheduled_local'], 'must be a date and a time')
  return new Date(toInstant(loadZone(timezone), local, 'first'))
}

type Timed = { scheduled_at?: Date | null | undefined; scheduled_local?: string | undefined }

/** A post's fields, with the instant that `scheduled_local` means in the owner's zone. */
export async function onOwnClock<T extends Timed>(workspaceId: string, fields: T): Promise<T> {
  if (fields.scheduled_local === undefined) return fields
  const scheduled_at = instantOfWall(fields.scheduled_local, await ownerTimezone(workspaceId))
  return { ...fields, scheduled_at }
}

/** The weeks of a month (YYYY-MM) from Monday on, each day with what goes or went out on it in the owner's zone. */
export async function postMonth(workspaceId: string, month: string | undefined, now: Date) {
  const timezone = await ownerTimezone(workspaceId)
  const zone = loadZone(timezone)
  const today = toDay(zone, now.getTime())
  const shown = month ?? formatDay(today).slice(0, 7)
  const first = parseDay(`${shown}-01`)
  const from = first - toWeekday(first)
  const next = parseDay(`${formatDay(first + 31).slice(0, 7)}-01`)
  const count = Math.ceil((next - from) / 7) * 7
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
      posts: posts.filter(({ at }) => toDay(zone, at.getTime()) === day),
    }
  })
  return {
    timezone,
    month: shown,
    before: formatDay(first - 1).slice(0, 7),
    after: formatDay(next).slice(0, 7),
    days,
  }
}
