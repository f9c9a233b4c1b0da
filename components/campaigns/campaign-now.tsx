import type { ReactNode } from 'react'
import { RelativeTime } from '#components/ui/relative-time'
import { ZonedTime } from '#components/ui/zoned-time'
import type { Campaign } from '#lib/contracts/campaigns/campaign'
import type { Explanation } from '#lib/contracts/campaigns/explanations'
import { pausedText } from '#lib/domain/campaigns/pause-reasons'

type Props = { campaign: Campaign; now: string; why?: Explanation | undefined }

/**
 * One sentence: what the campaign does now or, if it is not sending, which rule holds it back and until when.
 */
export function CampaignNow({ campaign, now, why }: Props): ReactNode {
  switch (campaign.status) {
    case 'draft':
      return campaign.launch_error ?? 'Not launched yet.'
    case 'launching':
      return 'Enrolling leads. Sending starts right after.'
    case 'scheduled':
      return campaign.start_date ? (
        <>
          Starts <ZonedTime at={campaign.start_date} zone={campaign.timezone} />.
        </>
      ) : (
        'Starts at its scheduled time.'
      )
    case 'paused':
      return pausedText(campaign.paused_reason)
    case 'completed':
      return 'All leads have finished.'
    case 'failed':
      return campaign.launch_error ?? 'The launch failed.'
    default:
      return <Running campaign={campaign} now={now} why={why} />
  }
}

/** Short texts for waits that pass by themselves; other waits have their own sentence. */
const SHORT: Partial<Record<Explanation['code'], string>> = {
  min_interval: 'Sending.',
  window: 'Outside its sending hours.',
  send_days: 'Not a sending day.',
  daily_limit: 'Today’s limit is reached.',
  sender_limit: 'Its mailboxes and accounts have reached today’s limit.',
  delay: 'Waiting between steps.',
}

function Running({ campaign, now, why }: Props) {
  if (!why) return 'Running.'
  if (why.code === 'due_now') return 'Sending now.'
  const seconds = why.until ? Math.ceil((Date.parse(why.until) - Date.parse(now)) / 1_000) : 0
  if (why.code === 'min_interval' && seconds > 0 && seconds < 90) return `Sending, next in ${seconds} s.`
  return (
    <>
      {SHORT[why.code] ?? why.message}
      {why.until && (
        <>
          {' '}
          Next send <RelativeTime at={why.until} now={now} zone={campaign.timezone} isAhead />,{' '}
          <ZonedTime at={why.until} zone={campaign.timezone} />.
        </>
      )}
    </>
  )
}
