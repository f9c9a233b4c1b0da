import type { Campaign } from '#lib/contracts/campaigns/campaign'
import type { CampaignLead } from '#lib/contracts/leads/campaign-leads'
import { compileSchedule, nextOpen, type Schedule } from '#lib/domain/calendar/schedule'
import { isHeldInPerson } from '#lib/domain/leads/wait-reasons'
import { ownValue } from '#lib/domain/text/own-value'

/**
 * The part of a lead that the list shows: a dataset row may be wide, and people scroll through a hundred
 * thousand.
 */
export type LeadLine = Omit<CampaignLead, 'data' | 'next_action_at'> & {
  name: string
  /** The visible cells of its row, by column. */
  cells: Record<string, string>
  /**
   * When the forecast performs the next step; without a forecast, the first instant inside a sending window
   * at which it is due.
   */
  next_at: string | null
  /** Whether `next_at` comes from the forecast. Otherwise limits and other leads may delay the step. */
  is_planned: boolean
  /** `next_at` is now: only the lead's turn is missing. */
  is_due: boolean
}

type Paced = Pick<
  Campaign,
  'status' | 'timezone' | 'sending_window_start' | 'sending_window_end' | 'sending_windows' | 'send_days'
>

/** A past instant says nothing about when a wait ends. */
const later = (at: string | null, now: Date) => (at !== null && Date.parse(at) > now.getTime() ? at : null)

/**
 * An absence that ends before the step is due does not delay it. When the contact policy will release a
 * person is unknown.
 */
function dueAt(next_action_at: string, waits: CampaignLead['waits_for']): string | null {
  if (!waits || waits.not_before === null) return waits ? null : next_action_at
  const { why, not_before } = waits
  return isHeldInPerson(why) && Date.parse(next_action_at) > Date.parse(not_before)
    ? next_action_at
    : not_before
}

/**
 * The lines for leads of one campaign as of `now`. `planned`: the forecast by lead_index. `shown`: the
 * visible list columns. A paused campaign has no next steps.
 */
export function leadLines(
  campaign: Paced,
  now: Date,
  planned: ReadonlyMap<number, Date> | null = null,
  shown: readonly string[] = [],
) {
  const schedules = new Map<string, Schedule>()
  const findSchedule = (timezone: string) => {
    const schedule = schedules.get(timezone) ?? compileSchedule({ ...campaign, timezone })
    schedules.set(timezone, schedule)
    return schedule
  }
  return ({ data, next_action_at, ...lead }: CampaignLead): LeadLine => {
    const isWaiting = campaign.status !== 'paused' && next_action_at !== null
    const waits_for = lead.waits_for && {
      ...lead.waits_for,
      not_before: later(lead.waits_for.not_before, now),
    }
    const due = isWaiting ? dueAt(next_action_at, waits_for) : null
    const known = isWaiting ? planned?.get(lead.lead_index) : undefined
    const schedule = findSchedule(lead.timezone ?? campaign.timezone)
    const open = due === null ? null : nextOpen(schedule, Math.max(Date.parse(due), now.getTime()))
    const at = known?.getTime() ?? open
    return {
      ...lead,
      waits_for,
      cells: Object.fromEntries(shown.map((key) => [key, String(ownValue(data, key) ?? '')])),
      name: [data.first_name, data.last_name].filter(Boolean).join(' '),
      next_at: at === null ? null : new Date(at).toISOString(),
      is_planned: known !== undefined,
      is_due: at !== null && at <= now.getTime(),
    }
  }
}
