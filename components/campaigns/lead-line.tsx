import type { CampaignLead } from '#lib/contracts/campaign-leads'
import type { Campaign } from '#lib/contracts/campaigns'
import { nextOpen, scheduleOf } from '#lib/domain/schedule'

/** What the list shows of a lead: a row of a dataset may be wide, and a hundred thousand of them are scrolled through. */
export type LeadLine = Omit<CampaignLead, 'data' | 'next_action_at'> & {
  name: string
  /** The first instant of a sending window at which its next step is due; limits may make it later. */
  next_at: string | null
  /** That instant is now: only its turn is waited for. */
  is_due: boolean
}

type Paced = Pick<
  Campaign,
  'status' | 'timezone' | 'sending_window_start' | 'sending_window_end' | 'send_days'
>

/** Lines of the leads of one campaign, as of `now`. While it is paused, nothing is next. */
export function leadLines(campaign: Paced, now: Date) {
  const schedule = scheduleOf(campaign)
  return ({ data, next_action_at, ...lead }: CampaignLead): LeadLine => {
    const due = campaign.status === 'paused' || next_action_at === null ? null : Date.parse(next_action_at)
    const at = due === null ? null : nextOpen(schedule, Math.max(due, now.getTime()))
    return {
      ...lead,
      name: [data.first_name, data.last_name].filter(Boolean).join(' '),
      next_at: at === null ? null : new Date(at).toISOString(),
      is_due: at !== null && at <= now.getTime(),
    }
  }
}
