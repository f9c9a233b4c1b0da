'use client'

import { useState } from 'react'
import { Field } from '#components/ui/controls/field'
import { Select } from '#components/ui/controls/select'

type Named = { code: string; name: string }
export type HolidayCountry = Named & { regions: Named[] }
type Props = { countries: HolidayCountry[]; country: string | null; region: string | null }

const toOptions = (named: Named[], none: string) => [
  { value: '', label: none },
  ...named.map(({ code, name }) => ({ value: code, label: name })),
]

/** Whose holidays are skipped; asks for a region if regions of the country have their own. */
export function HolidayFields({ countries, country, region }: Props) {
  const [chosen, setChosen] = useState(country ?? '')
  const regions = countries.find(({ code }) => code === chosen)?.regions ?? []
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        label="Skip holidays of"
        name="holiday_country"
        className={regions.length === 0 ? 'sm:col-span-2' : ''}
      >
        <Select
          options={toOptions(countries, 'No country')}
          value={chosen}
          onChange={(event) => setChosen(event.target.value)}
        />
      </Field>
      {regions.length > 0 && (
        <Field label="Region" name="holiday_region">
          <Select
            key={chosen}
            options={toOptions(regions, 'The whole country')}
            defaultValue={chosen === country ? (region ?? '') : ''}
          />
        </Field>
      )}
    </div>
  )
}
