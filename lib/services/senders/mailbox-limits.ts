import { Mailbox } from '#lib/contracts/senders/mailbox'
import { pool } from '#lib/db/client'
import type { MailboxModel } from '#lib/db/generated/models'
import { formatDay } from '#lib/domain/calendar/zoned-time'
import { type RampDay, rampReason } from '#lib/domain/sending/ramp-health'
import { createMeter, dayTotals, type Sender } from '#lib/domain/sending/sender-limits'
import { loadRampDays, rampOfMailbox } from '#lib/services/senders/ramp/ramp-days'
import { senderDays } from '#lib/services/senders/sender-days'

const RampUp = Mailbox.shape.limits.shape.ramp_up

/** Today's limits of an owner's mailboxes, by the same meter that dispatch uses. */
export async function mailboxLimits(workspaceId: string, rows: MailboxModel[], now: Date) {
  const { timezone, zone, today, days, resets_at, listUses } = await senderDays(
    workspaceId,
    rows.map((row) => row.mailbox_id),
    now,
  )
  const ramping = rows.map((row) => ({ ...row, ramp_up: RampUp.parse(row.ramp_up) }))
  const owner = { workspace_id: workspaceId, owner_timezone: timezone }
  const ramps = await loadRampDays(pool(), owner, ramping, now)

  return (row: MailboxModel) => {
    const used = days.filter((day) => day.sender_id === row.mailbox_id)
    const ramp_up = RampUp.parse(row.ramp_up)
    const ramp = ramps.get(row.mailbox_id)
    const meter = createMeter(
      { ...toSender(row, used), ...rampOfMailbox({ ...row, ramp_up }, ramp, timezone) },
      [],
      zone,
    )
    const { limit, used: used_today } = dayTotals(meter, today)
    return {
      daily_limit: row.daily_limit,
      min_interval_seconds: row.min_interval_seconds,
      ramp_up,
      ramp_health: ramp ? shownRamp(ramp) : null,
      today: limit,
      used_today,
      used_by: listUses(row.mailbox_id),
      timezone,
      resets_at,
    }
  }
}

const shownRamp = (ramp: RampDay) => ({
  date: formatDay(ramp.day),
  verdict: ramp.verdict,
  cause: ramp.cause,
  reason: rampReason(ramp),
  rises_after: formatDay(ramp.rises_after),
  evidence: ramp.evidence,
})

function toSender(
  row: MailboxModel,
  days: { local_date: Date; action_type: string; used: number }[],
): Omit<Sender, 'ramp_up' | 'ramp_up_started_at'> {
  return {
    sender_id: row.mailbox_id,
    channel: 'email',
    daily_limit: row.daily_limit,
    min_interval_seconds: row.min_interval_seconds,
    action_limits: {},
    last_action_at: row.last_action_at?.getTime() ?? null,
    used: days.map(({ local_date, action_type, used }) => ({
      date: local_date.toISOString().slice(0, 10),
      action_type,
      count: used,
    })),
  }
}
