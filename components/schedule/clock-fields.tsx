import { Field } from '#components/ui/controls/field'
import { Select } from '#components/ui/controls/select'
import type { Campaign } from '#lib/contracts/campaigns/campaign'

/** The size of a list, for how many of its people the zone is known, and the most frequent zones. */
export type KnownClocks = { people: number; known: number; zones: { timezone: string; people: number }[] }

type Props = {
  campaign: Pick<Campaign, 'timezone' | 'schedule_timezone'>
  zones: string[]
  known: KnownClocks | null
}

const count = (people: number) => people.toLocaleString('en')

/** "Time zone known for 412 of 500 people in the list: 210 America/New_York, 202 Europe/Berlin. Everyone else uses the campaign’s zone." */
function knownWords(known: KnownClocks | null): string {
  const others = 'Everyone else uses the campaign’s zone.'
  if (known === null || known.people === 0) return 'People without a known time zone use the campaign’s.'
  const shown = known.zones.map(({ timezone, people }) => `${count(people)} ${timezone}`)
  const rest = known.known - known.zones.reduce((sum, { people }) => sum + people, 0)
  const named = [...shown, ...(rest > 0 ? [`${count(rest)} elsewhere`] : [])].join(', ')
  const of = `Time zone known for ${count(known.known)} of ${count(known.people)} people in the list`
  return `${of}${named && `: ${named}`}. ${known.known === known.people ? '' : others}`.trim()
}

/**
 * Whether windows follow the campaign's or each lead's clock, and the campaign's zone, which counts its days
 * in both cases.
 */
export function ClockFields({ campaign, zones, known }: Props) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        label="Time zone"
        name="timezone"
        required
        hint={campaign.schedule_timezone === 'lead' ? 'Daily limits reset in this zone.' : undefined}
      >
        <Select options={zones.map((value) => ({ value, label: value }))} defaultValue={campaign.timezone} />
      </Field>
      <Field label="Sending hours in" name="schedule_timezone" hint={knownWords(known)}>
        <Select
          options={[
            { value: 'campaign', label: 'The campaign’s time zone' },
            { value: 'lead', label: 'Each lead’s time zone' },
          ]}
          defaultValue={campaign.schedule_timezone}
        />
      </Field>
    </div>
  )
}
