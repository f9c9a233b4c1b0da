/** Reasons set by the instance; others are the owner's own words. */
const REASONS: Record<string, string> = {
  unsubscribe: 'Unsubscribed',
  hard_bounce: 'Hard bounce',
  complaint: 'Complained',
  unsubscribe_shared: 'Unsubscribed from another workspace',
  complaint_shared: 'Complained to another workspace',
  manual: 'Added manually',
  import: 'Imported',
}

export const reasonWords = (reason: string) => REASONS[reason] ?? reason.replaceAll('_', ' ')
