import { ZonedTime } from '#components/ui/zoned-time'
import type { LeadLine } from './lead-line.tsx'

type Props = { lead: Pick<LeadLine, 'reason' | 'waits_for'>; timezone: string }

/** For whom a lead waits, and until when: "Waits for “Spring”, not before 3 Dec". */
export function WaitsFor({ lead: { reason, waits_for }, timezone }: Props) {
  if (!waits_for) return null
  const { campaign_name, colleague, not_before } = waits_for
  const other = campaign_name === null ? 'another campaign' : `“${campaign_name}”`
  const until = ['resting', 'colleague_replied', 'provider_paused'].includes(reason ?? '')
    ? ', until '
    : ', not before '
  return (
    <>
      {reason === 'person_busy' && `Waits for ${other}`}
      {reason === 'resting' && `Rest period after ${other}`}
      {reason === 'company_busy' && 'Waits for colleagues in campaigns'}
      {reason === 'colleague_replied' && `Waits: ${colleague ?? 'a colleague'} replied`}
      {reason === 'provider_paused' && 'Sending to its provider is paused'}
      {not_before && (
        <>
          {until}
          <ZonedTime at={not_before} zone={timezone} />
        </>
      )}
    </>
  )
}
