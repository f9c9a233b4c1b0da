import { funnelRates } from '#lib/domain/analytics/campaign-rates'
import { formatDay } from '#lib/domain/calendar/zoned-time'

/** What the counts of a tally belong to; the other keys are null. */
export interface TallyKey {
  kind: 'all' | 'day' | 'hour' | 'campaign' | 'sender'
  date: string | null
  weekday: number | null
  hour: number | null
  campaign_id: string | null
  mailbox_id: string | null
  connected_account_id: string | null
}

export interface Counts {
  sent: number
  contacted: number
  /** Leads that were sent an email, plus those whose address was refused: bounces occur in both. */
  mailed: number
  refused: number
  replied: number
  bounced: number
  unsubscribed: number
}

export type Tally = TallyKey & Counts

export interface Names {
  campaigns: {
    campaign_id: string
    name: string
    dataset_id: string
    dataset_name: string
    user_id: string | null
    user_name: string | null
  }[]
  senders: { sender_id: string; kind: 'mailbox' | 'account'; name: string }[]
}

const MOST_GROUPS = 100

/** The sum of some tallies, with its rates. A lead belongs to one campaign, so sums over campaigns count no lead twice. */
export function tallyTotals(tallies: readonly Counts[]) {
  const sum = (key: keyof Counts) => tallies.reduce((total, tally) => total + tally[key], 0)
  const counts = { replied: sum('replied'), bounced: sum('bounced'), unsubscribed: sum('unsubscribed') }
  const contacted = sum('contacted')
  const { reply_rate, bounce_rate } = funnelRates({
    ...counts,
    contacted,
    mailed: sum('mailed'),
    refused: sum('refused'),
    invitations: null,
  })
  return { sent: sum('sent'), contacted, ...counts, reply_rate, bounce_rate }
}

/** Includes days without sends, so that they can form a time axis. */
export function everyDay(tallies: readonly Tally[], { first, last }: { first: number; last: number }) {
  const known = new Map(tallies.filter(({ kind }) => kind === 'day').map((tally) => [tally.date, tally]))
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const date = formatDay(first + index)
    const { sent = 0, replied = 0, bounced = 0, unsubscribed = 0 } = known.get(date) ?? {}
    return { date, sent, replied, bounced, unsubscribed }
  })
}

/** The same counts by campaign, sender, list and member; those with the most contacted leads first. */
export function groupTotals(tallies: readonly Tally[], { campaigns, senders }: Names) {
  const named = new Map(campaigns.map((campaign) => [campaign.campaign_id, campaign]))
  const ofCampaigns = tallies.flatMap((tally) => {
    const campaign = tally.kind === 'campaign' && named.get(tally.campaign_id ?? '')
    return campaign ? [{ ...tally, campaign }] : []
  })
  const sender = new Map(senders.map((one) => [one.sender_id, one]))
  const ofSenders = tallies.flatMap((tally) => {
    const known = tally.kind === 'sender' && sender.get(tally.mailbox_id ?? tally.connected_account_id ?? '')
    return known ? [{ ...tally, sender: known }] : []
  })
  return {
    campaigns: inOrder(
      ofCampaigns.map((tally) => ({
        campaign_id: tally.campaign.campaign_id,
        name: tally.campaign.name,
        ...tallyTotals([tally]),
      })),
    ),
    senders: inOrder(ofSenders.map((tally) => ({ ...tally.sender, ...tallyTotals([tally]) }))),
    datasets: inOrder(
      [...Map.groupBy(ofCampaigns, ({ campaign }) => campaign.dataset_id)].map(([dataset_id, own]) => ({
        dataset_id,
        name: own[0]?.campaign.dataset_name ?? '',
        ...tallyTotals(own),
      })),
    ),
    members: inOrder(
      [...Map.groupBy(ofCampaigns, ({ campaign }) => campaign.user_id)].map(([user_id, own]) => ({
        user_id,
        name: own[0]?.campaign.user_name ?? 'Nobody',
        ...tallyTotals(own),
      })),
    ),
  }
}

const inOrder = <T extends { contacted: number; name: string }>(groups: T[]): T[] =>
  groups
    .toSorted((a, b) => b.contacted - a.contacted || a.name.localeCompare(b.name, 'en'))
    .slice(0, MOST_GROUPS)
