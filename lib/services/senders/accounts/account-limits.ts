import { ConnectedAccount } from '#lib/contracts/senders/connected-accounts'
import type { ConnectedAccountModel } from '#lib/db/generated/models'
import { formatDay } from '#lib/domain/calendar/zoned-time'
import { createMeter, dayTotals, roomOn, type Sender } from '#lib/domain/sending/sender-limits'
import { accountCaps, SOCIAL_ACTION_TYPES, textLimits } from '#lib/domain/social/social-limits'
import { asRecord } from '#lib/domain/text/record'
import { senderDays } from '#lib/services/senders/sender-days'

type Day = { local_date: Date; action_type: string; used: number }

type Limited = Pick<
  ConnectedAccountModel,
  'account_id' | 'provider' | 'kind' | 'min_interval_seconds' | 'ramp_up_started_at' | 'last_action_at'
> & { limits: unknown; ramp_up: unknown }

/** An account in the form that pacing uses, with every default cap of its kind and the caps that its owner set instead. */
export function socialSender(row: Limited, days: Day[]): Sender {
  return {
    sender_id: row.account_id,
    channel: 'social',
    daily_limit: null,
    min_interval_seconds: row.min_interval_seconds,
    ramp_up: ConnectedAccount.shape.ramp_up.parse(row.ramp_up),
    ramp_up_started_at: row.ramp_up_started_at.getTime(),
    action_limits: accountCaps(row),
    last_action_at: row.last_action_at?.getTime() ?? null,
    used: days.map(({ local_date, action_type, used }) => ({
      date: local_date.toISOString().slice(0, 10),
      action_type,
      count: used,
    })),
  }
}

/** What an owner's accounts may still do today and this week, by the same meter that dispatch uses. */
export async function accountLimits(workspaceId: string, rows: ConnectedAccountModel[], now: Date) {
  const { timezone, zone, today, days, resets_at, listUses } = await senderDays(
    workspaceId,
    rows.map((row) => row.account_id),
    now,
  )

  return (row: ConnectedAccountModel) => {
    const used = days.filter((day) => day.sender_id === row.account_id)
    const meter = createMeter(socialSender(row, used), SOCIAL_ACTION_TYPES, zone)
    const caps = accountCaps(row)
    const set = asRecord(row.limits)
    const date = formatDay(today)
    const totals = dayTotals(meter, today)
    return {
      caps: SOCIAL_ACTION_TYPES.map((action_type, index) => {
        const mine = used.filter((day) => day.action_type === action_type)
        const room = roomOn(meter, index, today)
        return {
          action_type,
          ...caps[action_type],
          used_today: sum(mine.filter(({ local_date }) => local_date.toISOString().startsWith(date))),
          used_this_week: sum(mine),
          left_today: Number.isFinite(room) ? room : null,
          is_default: set[action_type] === undefined,
        }
      }),
      today: Number.isFinite(totals.limit) ? totals.limit : null,
      used_today: totals.used,
      used_by: listUses(row.account_id),
      timezone,
      resets_at,
      note_characters: textLimits(row).note,
    }
  }
}

const sum = (days: Day[]) => days.reduce((total, { used }) => total + used, 0)
