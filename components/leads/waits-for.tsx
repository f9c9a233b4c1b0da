import { ZonedTime } from '#components/ui/zoned-time'
import { isHeldInPerson, type WaitReason } from '#lib/domain/leads/wait-reasons'
import type { LeadLine } from './lead-line.tsx'

type Waits = NonNullable<LeadLine['waits_for']>
type Props = { waits: Waits; timezone: string }

/** Of these the end is known; of the others only that it is not before. */
const ENDS: ReadonlySet<WaitReason> = new Set([
  'away',
  'asked_later',
  'held',
  'resting',
  'colleague_replied',
  'provider_paused',
])

/** Why and for whom a lead waits, and until when: "Waits for “Spring”, not before 3 Dec". In a row too narrow for it, the end stays whole. */
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

/** In the panel of a lead what it waits for by the contact policy; how its person is held stands there with what ends it. */
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
