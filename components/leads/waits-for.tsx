import { ZonedTime } from '#components/ui/zoned-time'
import type { LeadLine } from './lead-line.tsx'

type Props = { lead: Pick<LeadLine, 'reason' | 'waits_for'>; timezone: string }

/** For whom a lead waits, and until when: "After “Spring”, not before 3 Dec". */
export function WaitsFor({ lead: { reason, waits_for }, timezone }: Props) {
  if (!waits_for) return null
  const { campaign_name, colleague, not_before } = waits_for
  const other = campaign_name === null ? 'another campaign' : `“${campaign_name}”`
  const until = ['resting', 'colleague_replied', 'provider_paused'].includes(reason ?? '')
    ? ', until '
    : ', not before '
  return (
    <>
      {reason === 'person_busy' && `After ${other}`}
      {reason === 'resting' && `Rests after ${other}`}
      {reason === 'company_busy' && 'After colleagues who are in campaigns'}
      {reason === 'colleague_replied' && `After a reply of ${colleague ?? 'a colleague'}`}
      {reason === 'provider_paused' && 'Its provider is paused'}
      {not_before && (
        <>
          {until}
          <ZonedTime at={not_before} zone={timezone} />
        </>
      )}
    </>
  )
}
