import { formatDay, toDay, type Zone } from '#lib/domain/calendar/zoned-time'
import { createMeter, dayTotals, type Sender } from '#lib/domain/sending/sender-limits'

export type ReachedLimit = {
  of: 'campaign' | 'sender'
  /** Null for a campaign. */
  sender_id: string | null
  /** Set for an account's cap on one kind of action; null if the limit counts all kinds. */
  action_type: string | null
  limit: number
  /** The day the limit counts: a window day of the campaign, or a local date of the sender's owner. */
  day: string
}

type Taken = { sender_id: string; action_type: string }

/**
 * The daily limits that the actions in `taken` used up. `senders` count what was sent before them;
 * `campaign.pace` already includes them.
 */
export function reachedLimits(
  campaign: { daily_limit: number; pace: { window_day: string | null; window_day_count: number } },
  senders: readonly Sender[],
  taken: readonly Taken[],
  { zone, now }: { zone: Zone; now: number },
): ReachedLimit[] {
  if (taken.length === 0) return []
  const { window_day, window_day_count } = campaign.pace
  const own: ReachedLimit[] =
    window_day !== null && window_day_count >= campaign.daily_limit
      ? [{ of: 'campaign', sender_id: null, action_type: null, limit: campaign.daily_limit, day: window_day }]
      : []
  return [...own, ...senders.flatMap((sender) => ofSender(sender, taken, zone, now))]
}

function ofSender(sender: Sender, taken: readonly Taken[], zone: Zone, now: number): ReachedLimit[] {
  const types = taken.flatMap((one) => (one.sender_id === sender.sender_id ? [one.action_type] : []))
  if (types.length === 0) return []
  const today = toDay(zone, now)
  const day = formatDay(today)
  const { limit, used } = dayTotals(createMeter(sender, [], zone), today)
  const whole: ReachedLimit[] =
    used < limit && used + types.length >= limit
      ? [{ of: 'sender', sender_id: sender.sender_id, action_type: null, limit, day }]
      : []
  const capped = [...new Set(types)].flatMap((action_type): ReachedLimit[] => {
    const cap = sender.action_limits[action_type]?.day ?? null
    if (cap === null) return []
    const before = sender.used.reduce(
      (sum, one) => sum + (one.date === day && one.action_type === action_type ? one.count : 0),
      0,
    )
    const after = before + types.filter((type) => type === action_type).length
    return before < cap && after >= cap
      ? [{ of: 'sender', sender_id: sender.sender_id, action_type, limit: cap, day }]
      : []
  })
  return [...whole, ...capped]
}
