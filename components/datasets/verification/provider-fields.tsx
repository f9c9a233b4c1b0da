import { Checkbox } from '#components/ui/controls/checkbox'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import type { EnrichmentProviderView } from '#lib/contracts/enrichment/dataset-sessions'

type Props = { providers: EnrichmentProviderView[]; legend: string }

/** Who is asked for what the row itself does not say, and for how much. */
export function ProviderFields({ providers, legend }: Props) {
  if (providers.length === 0) return null
  return (
    <>
      <fieldset className="grid gap-2">
        <legend className="mb-2 text-sm font-medium">{legend}</legend>
        {providers.map((provider) => (
          <Checkbox
            key={provider.name}
            name="providers"
            value={provider.name}
            label={provider.is_sandbox ? `${provider.name} (made-up answers)` : provider.name}
            hint={`${provider.description} Up to ${provider.price} per lookup.`}
          />
        ))}
      </fieldset>
      <Field label="Budget" name="max_cost" hint="For all lookups in this session.">
        <Input type="number" min={0} step="any" defaultValue={0} />
      </Field>
    </>
  )
}
