import type { Campaign } from '#lib/contracts/campaigns/campaign'
import type { CampaignLead } from '#lib/contracts/leads/campaign-leads'
import { compileSchedule, nextOpen, type Schedule } from '#lib/domain/calendar/schedule'
import { isHeldInPerson } from '#lib/domain/leads/wait-reasons'
import { ownValue } from '#lib/domain/text/own-value'

/** What the list shows of a lead: a row of a dataset may be wide, and a hundred thousand of them are scrolled through. */
export type LeadLine = Omit<CampaignLead, 'data' | 'next_action_at'> & {
  name: string
  /** Of its row those cells that are shown, by their columns. */
  cells: Record<string, string>
  /** When the forecast has its next step, else the first instant of a sending window at which that is due. */
  next_at: string | null
  /** The forecast's: without it, limits and other leads may make it later. */
  is_planned: boolean
  /** That instant is now: only its turn is waited for. */
  is_due: boolean
}

type Paced = Pick<
  Campaign,
  'status' | 'timezone' | 'sending_window_start' | 'sending_window_end' | 'sending_windows' | 'send_days'
>

/** What is past says nothing of when an end may come. */
const later = (at: string | null, now: Date) => (at !== null && Date.parse(at) > now.getTime() ? at : null)

/** A person who is back before the step is due waits for that; when another campaign lets them go only the policy knows. */
function dueAt(next_action_at: string, waits: CampaignLead['waits_for']): string | null {
  if (!waits || waits.not_before === null) return waits ? null : next_action_at
  const { why, not_before } = waits
  return isHeldInPerson(why) && Date.parse(next_action_at) > Date.parse(not_before)
    ? next_action_at
    : not_before
}

/**
 * Lines of the leads of one campaign, as of `now`; `planned` has what the forecast knows, by place, and `shown` names the
 * columns of the list that are shown too. While the campaign is paused, nothing is next.
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
