import { db } from '#lib/db/client'
import { dayOf, formatDay, zoneOf } from '#lib/domain/zoned-time'
import { timezoneOf } from '#lib/services/users'

const MOST_DAYS = 30

type RampDay = { date: string; limit: number; used: number }

type Ramping = {
  sender_id: string
  started_at: Date
  ramp_up: { start: number; increase_per_day: number } | null
  /** Where the ramp ends; null: nowhere. */
  most: number | null
}

/** The days of a ramp-up before today, the oldest first: what the ramp allowed and what left. None without a ramp. */
async function historyOf(userId: string, sender: Ramping, now: Date): Promise<RampDay[]> {
  const { ramp_up: ramp, most } = sender
  if (!ramp) return []
  const zone = zoneOf(await timezoneOf(userId))
  const today = dayOf(zone, now.getTime())
  const begun = dayOf(zone, sender.started_at.getTime())
  const first = Math.max(begun, today - MOST_DAYS)
  if (first >= today) return []
  const rows = await db.senderDay.groupBy({
    by: ['local_date'],
    where: {
      sender_id: sender.sender_id,
      local_date: { gte: new Date(formatDay(first)), lt: new Date(formatDay(today)) },
    },
    _sum: { used: true },
  })
  const used = new Map(rows.map(({ local_date, _sum }) => [local_date.toISOString().slice(0, 10), _sum.used]))
  return Array.from({ length: today - first }, (_, index) => {
    const date = formatDay(first + index)
    const limit = ramp.start + ramp.increase_per_day * (first + index - begun)
    return { date, limit: Math.min(most ?? limit, limit), used: used.get(date) ?? 0 }
  })
}

export async function mailboxRampHistory(userId: string, mailboxId: string, now: Date): Promise<RampDay[]> {
  const row = await db.mailbox.findFirst({ where: { mailbox_id: mailboxId, user_id: userId } })
  if (!row) return []
  return historyOf(
    userId,
    {
      sender_id: mailboxId,
      started_at: row.ramp_up_started_at,
      ramp_up: row.ramp_up as Ramping['ramp_up'],
      most: row.daily_limit,
    },
    now,
  )
}

export async function accountRampHistory(userId: string, accountId: string, now: Date): Promise<RampDay[]> {
  const row = await db.connectedAccount.findFirst({ where: { account_id: accountId, user_id: userId } })
  if (!row) return []
  return historyOf(
    userId,
    {
      sender_id: accountId,
      started_at: row.ramp_up_started_at,
      ramp_up: row.ramp_up as Ramping['ramp_up'],
      most: null,
    },
    now,
  )
}
