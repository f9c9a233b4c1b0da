import type { Forecast } from '#lib/contracts/campaigns/forecast-shape'

/** What limits the pace of a plan, in words. */
export const LIMITS: Record<Forecast['limited_by'], string> = {
  window: 'Sending window',
  daily_limit: 'Daily limit',
  min_interval: 'Interval between sends',
  sender: 'Mailbox limits',
  delay: 'Days between steps',
  none: 'Nothing',
}
