/** Where a mail came to lie: the inbox itself, a tab of Gmail's, the folder for spam, or elsewhere. */
export const PLACEMENTS = ['inbox', 'promotions', 'social', 'updates', 'forums', 'spam', 'other'] as const
export type Placement = (typeof PLACEMENTS)[number]

/** Gmail's tabs, by the names that its search and its labels have for them. */
export const TABS = ['promotions', 'social', 'updates', 'forums'] as const

/** By the labels that Gmail puts on a mail. */
export function placementByLabels(labels: readonly string[]): Placement {
  if (labels.includes('SPAM')) return 'spam'
  const tab = TABS.find((one) => labels.includes(`CATEGORY_${one.toUpperCase()}`))
  if (tab) return tab
  return labels.includes('INBOX') ? 'inbox' : 'other'
}

export const PLACEMENT_STATES = ['waiting', 'arrived', 'missing', 'not_sent'] as const
export type PlacementState = (typeof PLACEMENT_STATES)[number]

/** What is nowhere to be found by then will not come. */
const LONGEST_MS = 24 * 60 * 60_000

export function placementState(
  test: { error: string | null; arrived_at: Date | null; sent_at: Date },
  now: Date,
): PlacementState {
  if (test.error !== null) return 'not_sent'
  if (test.arrived_at) return 'arrived'
  return now.getTime() - test.sent_at.getTime() < LONGEST_MS ? 'waiting' : 'missing'
}
