import { rateWithInterval } from '#lib/domain/analytics/statistics'

/** Numbers of leads, each counted once. */
interface Funnel {
  contacted: number
  refused: number
  replied: number
  bounced: number
  unsubscribed: number
  /** Leads that were sent an email. */
  mailed: number
  invitations: { invited: number; accepted: number } | null
}

/** Every rate with both its counts. Opens and clicks have their own denominators: see `trackedRates`. */
export const funnelRates = ({ contacted, mailed, invitations, ...sum }: Funnel) => ({
  reply_rate: rateWithInterval(sum.replied, contacted),
  bounce_rate: rateWithInterval(sum.bounced, mailed + sum.refused),
  unsubscribe_rate: rateWithInterval(sum.unsubscribed, mailed),
  acceptance_rate: invitations && rateWithInterval(invitations.accepted, invitations.invited),
})

type TrackedSum = { people: number; tracked: number }

/** Null if nothing was tracked: then the rate is unknown, not 0. */
export const trackedRates = (opens: TrackedSum | null, clicks: TrackedSum | null) => ({
  open_rate: opens && rateWithInterval(opens.people, opens.tracked),
  click_rate: clicks && rateWithInterval(clicks.people, clicks.tracked),
})
