/** Where a mail was filed: the inbox itself, a tab of Gmail, the spam folder, or elsewhere. */
export const PLACEMENTS = ['inbox', 'promotions', 'social', 'updates', 'forums', 'spam', 'other'] as const
export type Placement = (typeof PLACEMENTS)[number]

/** Gmail's tabs, by the names in its search and its labels. */
export const TABS = ['promotions', 'social', 'updates', 'forums'] as const

/** The placement from Gmail's labels. */
export function placementByLabels(labels: readonly string[]): Placement {
  if (labels.includes('SPAM')) return 'spam'
  const tab = TABS.find((one) => labels.includes(`CATEGORY_${one.toUpperCase()}`))
  if (tab) return tab
  return labels.includes('INBOX') ? 'inbox' : 'other'
}

export const PLACEMENT_STATES = ['waiting', 'arrived', 'missing', 'not_sent'] as const
export type PlacementState = (typeof PLACEMENT_STATES)[number]

/** A mail that has not been found by then counts as lost. */
const LONGEST_MS = 24 * 60 * 60_000

export function placementState(
  test: { error: string | null; arrived_at: Date | null; sent_at: Date },
  now: Date,
): PlacementState {
  if (test.error !== null) return 'not_sent'
  if (test.arrived_at) return 'arrived'
  return now.getTime() - test.sent_at.getTime() < LONGEST_MS ? 'waiting' : 'missing'
}
