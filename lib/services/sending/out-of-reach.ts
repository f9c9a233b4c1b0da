import type { Channel } from '#lib/domain/campaigns/step-conditions'
import type { OutOfReach } from '#lib/domain/sending/dispatch-state'

type Reachable = {
  lead_index: number
  email: string | null
  social_profile: string | null
  social_problem: string | null
}

/** Leads without an address, and leads without a usable profile. */
export const outOfReach = (leads: Reachable[]): OutOfReach => ({
  email: new Set(leads.flatMap((lead) => (lead.email ? [] : [lead.lead_index]))),
  social: new Set(
    leads.flatMap((lead) => (lead.social_profile && !lead.social_problem ? [] : [lead.lead_index])),
  ),
})

/** Why a channel's steps are skipped for a lead, worded for people; null if the channel reaches it. */
export function whyUnreached(
  lead: Omit<Reachable, 'lead_index'>,
  channel: Channel | undefined,
): string | null {
  if (channel === 'email') return lead.email ? null : 'The lead has no address.'
  return lead.social_problem ?? (lead.social_profile ? null : 'The row has no profile.')
}
