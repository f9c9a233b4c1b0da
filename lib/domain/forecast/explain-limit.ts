import { formatDay, loadZone, toDay } from '#lib/domain/calendar/zoned-time'
import type { DispatchInput } from '#lib/domain/sending/dispatch-state'
import type { Sender } from '#lib/domain/sending/sender-limits'

type UsedUp = { params: Record<string, string | number | null>; message: string }

/**
 * Which of an account's caps the next social step waits for: the cap for its kind of action per day or per
 * seven days, on the owner's dates. Null if it is another limit, which the sender's own page shows.
 */
export function usedUp(
  { campaign, follow_ups, new_leads, senders, owner_timezone }: DispatchInput,
  now: number,
) {
  const next = [...follow_ups].sort((a, b) => a.due_at - b.due_at)[0]
  const index = next && (next.due_at <= now || new_leads.length === 0) ? next.step - 1 : 0
  const rule = campaign.steps_config[index]
  if (rule?.channel !== 'social') return null
  const able = senders.filter(
    ({ channel, sender_id }) =>
      channel === 'social' && (!next?.account_id || index === 0 || sender_id === next.account_id),
  )
  const reached = able.flatMap((sender) => capReached(sender, rule.action_type, owner_timezone, now) ?? [])
  const [first] = reached
  return first && reached.length === able.length ? first : null
}

function capReached(sender: Sender, actionType: string, timezone: string, now: number): UsedUp | null {
  const caps = sender.action_limits[actionType]
  if (!caps) return null
  const date = formatDay(toDay(loadZone(timezone), now))
  const mine = sender.used.filter(({ action_type }) => action_type === actionType)
  const week = mine.reduce((sum, { count }) => sum + count, 0)
  const today = mine.reduce((sum, day) => sum + (day.date === date ? day.count : 0), 0)
  const named = { sender_id: sender.sender_id, action_type: actionType }
  const what = actionType.replaceAll('_', ' ')
  if (caps.week !== null && week >= caps.week)
    return {
      params: { ...named, cap: 'week', limit: caps.week },
      message: `The account’s weekly cap for ${what} is used up: ${caps.week} in any seven days, counted in ${timezone}.`,
    }
  if (caps.day !== null && today >= caps.day)
    return {
      params: { ...named, cap: 'day', limit: caps.day },
      message: `The account’s daily cap for ${what} is used up: ${caps.day} a day, counted in ${timezone}.`,
    }
  return null
}
