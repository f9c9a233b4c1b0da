import { Mailbox } from '#lib/contracts/senders/mailbox'
import { db } from '#lib/db/client'
import { formatDay, loadZone, toDay } from '#lib/domain/calendar/zoned-time'
import { rampFrom } from '#lib/domain/sending/ramp-health'
import { rampLimit } from '#lib/domain/sending/sender-limits'
import { keptRampDays } from '#lib/services/senders/ramp/ramp-days'
import { workspaceTimezone } from '#lib/services/workspaces/users'

const MOST_DAYS = 30

type RampDay = { date: string; limit: number; used: number }
/** The columns of a mailbox's or account's row. */
type Ramping = { ramp_up: unknown; ramp_up_started_at: Date }

/** The days of a ramp-up before today, the oldest first: what the ramp allowed and what was sent. Empty without a ramp. */
async function loadHistory(
  workspaceId: string,
  sender_id: string,
  sender: Ramping,
  most: number,
  now: Date,
): Promise<RampDay[]> {
  const ramp_up = Mailbox.shape.limits.shape.ramp_up.parse(sender.ramp_up)
  if (!ramp_up) return []
  const zone = loadZone(await workspaceTimezone(workspaceId))
  const today = toDay(zone, now.getTime())
  const ramp = { ...ramp_up, day: toDay(zone, sender.ramp_up_started_at.getTime()) }
  const first = Math.max(ramp.day, today - MOST_DAYS)
  if (first >= today) return []
  const rows = await db.senderDay.groupBy({
    by: ['local_date'],
    where: { sender_id, local_date: { gte: new Date(formatDay(first)), lt: new Date(formatDay(today)) } },
    _sum: { used: true },
  })
  // Between two decisions the ramp continues from the earlier one; accounts have no decisions.
  const decided = ramp_up.by_health ? await keptRampDays(workspaceId, sender_id, ramp.day) : []
  const limitOn = (day: number) => {
    const last = decided.findLast((one) => one.day <= day)
    return rampLimit(last ? rampFrom(ramp, last) : ramp, most, day)
  }
  const used = new Map(rows.map(({ local_date, _sum }) => [local_date.toISOString().slice(0, 10), _sum.used]))
  return Array.from({ length: today - first }, (_, index) => {
    const date = formatDay(first + index)
    return { date, limit: limitOn(first + index), used: used.get(date) ?? 0 }
  })
}

export async function mailboxRampHistory(
  workspaceId: string,
  mailboxId: string,
  now: Date,
): Promise<RampDay[]> {
  const row = await db.mailbox.findFirst({ where: { mailbox_id: mailboxId, workspace_id: workspaceId } })
  return row ? loadHistory(workspaceId, mailboxId, row, row.daily_limit, now) : []
}

/** An account's ramp has no ceiling, since its caps are per type of action. */
export async function accountRampHistory(
  workspaceId: string,
  accountId: string,
  now: Date,
): Promise<RampDay[]> {
  const row = await db.connectedAccount.findFirst({
    where: { account_id: accountId, workspace_id: workspaceId },
  })
  return row ? loadHistory(workspaceId, accountId, row, Number.POSITIVE_INFINITY, now) : []
}
