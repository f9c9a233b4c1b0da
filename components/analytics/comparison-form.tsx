import Form from 'next/form'
import { Select } from '#components/ui/controls/select'
import { SubmitButton } from '#components/ui/controls/submit-button'

type Choice = { value: string; label: string }
type Props = { choices: Choice[]; campaign: string; compareTo: string }

/** Selects the two campaigns. They are in the URL, so a comparison can be shared as a link. */
export function ComparisonForm({ choices, campaign, compareTo }: Props) {
  return (
    <Form
      action="/analytics/compare"
      scroll={false}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm"
    >
      <Choose name="campaign_id" label="A" value={campaign} choices={choices} />
      <Choose name="compare_to" label="B" value={compareTo} choices={choices} />
      <SubmitButton variant="secondary" className="max-sm:h-9">
        Compare
      </SubmitButton>
    </Form>
  )
}

function Choose({
  name,
  label,
  value,
  choices,
}: {
  name: string
  label: string
  value: string
  choices: Choice[]
}) {
  const isKnown = choices.some((choice) => choice.value === value)
  return (
    <span className="flex items-center gap-2 max-sm:w-full">
      <label htmlFor={`compare-${name}`} className="font-medium">
        {label}
      </label>
      <Select
        key={value}
        id={`compare-${name}`}
        name={name}
        defaultValue={value}
        options={isKnown ? choices : [{ value, label: 'The campaign you came from' }, ...choices]}
        className="max-sm:grow sm:w-72"
      />
    </span>
  )
}
