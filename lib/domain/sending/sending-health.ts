import type { PauseReason } from '#lib/domain/campaigns/pause-reasons'

/**
 * Above these rates a campaign harms its senders' reputation. Mailbox providers publish 0.3 % as the limit
 * for complaints.
 */
const MAX_BOUNCE_RATE = 0.05
const BOUNCE_MIN_SENDS = 50
const MAX_COMPLAINT_RATE = 0.003
const COMPLAINT_MIN_SENDS = 300

/**
 * Why a campaign must be paused automatically; null if it need not. `sends` counts messages offered,
 * including those refused for good.
 */
export function haltReason(counts: {
  sends: number
  hard_bounces: number
  complaints: number
}): PauseReason | null {
  const { sends, hard_bounces, complaints } = counts
  if (sends >= BOUNCE_MIN_SENDS && hard_bounces > sends * MAX_BOUNCE_RATE) return 'bounce_rate'
  if (sends >= COMPLAINT_MIN_SENDS && complaints > sends * MAX_COMPLAINT_RATE) return 'complaint_rate'
  return null
}
