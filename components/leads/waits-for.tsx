import { ZonedTime } from '#components/ui/zoned-time'
import { isHeldInPerson, type WaitReason } from '#lib/domain/leads/wait-reasons'
import type { LeadLine } from './lead-line.tsx'

type Waits = NonNullable<LeadLine['waits_for']>
type Props = { waits: Waits; timezone: string }

/** Reasons whose end is known; for the others only the earliest possible end is. */
const ENDS: ReadonlySet<WaitReason> = new Set([
  'away',
  'asked_later',
  'held',
  'resting',
  'colleague_replied',
  'provider_paused',
])

/** Why, for whom and until when a lead waits: "Waits for “Spring”, not before 3 Dec". In a narrow row the date is never cut off. */
export function WaitsFor({ waits, timezone }: Props) {
  const { why, not_before } = waits
  return (
    <>
      <span className="truncate">{waitWords(waits)}</span>
      {not_before && (
        <span className="shrink-0">
          {ENDS.has(why) ? ', until ' : ', not before '}
          <ZonedTime at={not_before} zone={timezone} />
        </span>
      )}
    </>
  )
}

/**
 * In a lead's panel: its wait under the contact policy. A hold of the person is shown there separately, with
 * the button to end it.
 */
export function PolicyWait({ waits, timezone }: { waits: Waits | null; timezone: string }) {
  if (!waits || isHeldInPerson(waits.why)) return null
  return (
    <p className="text-sm">
      <WaitsFor waits={waits} timezone={timezone} />
    </p>
  )
}

function waitWords({ why, campaign_name, colleague }: Waits): string {
  const other = campaign_name === null ? 'another campaign' : `“${campaign_name}”`
  const words: Record<WaitReason, string> = {
    away: 'Away',
    asked_later: 'Asked to be contacted later',
    held: 'Held manually',
    person_busy: `Waits for ${other}`,
    resting: `Rest period after ${other}`,
    company_busy: 'Waiting for colleagues in campaigns',
    colleague_replied: `Waits: ${colleague ?? 'a colleague'} replied`,
    provider_paused: 'Sending to its provider is paused',
  }
  return words[why]
}
