import { Select } from '#components/ui/controls/select'

type Choice = { value: string; label: string }
type Name = 'campaign_id' | 'dataset_id' | 'sender_id' | 'user_id'

const FIELDS: { name: Name; label: string; all: string }[] = [
  { name: 'campaign_id', label: 'Campaign', all: 'All campaigns' },
  { name: 'dataset_id', label: 'Dataset', all: 'All datasets' },
  { name: 'sender_id', label: 'Mailbox or account', all: 'All senders' },
  { name: 'user_id', label: 'Member', all: 'All members' },
]

type Props = { choices: Record<Name, Choice[]>; chosen: Partial<Record<Name, string | undefined>> }

/** The filters of the results. A filter with a single choice is hidden unless it is selected. */
export function ResultsFilters({ choices, chosen }: Props) {
  return FIELDS.map(({ name, label, all }) => {
    const value = chosen[name]
    if (choices[name].length < 2 && !value) return null
    const isKnown = !value || choices[name].some((choice) => choice.value === value)
    const options = isKnown ? choices[name] : [...choices[name], { value: value ?? '', label: 'Other' }]
    return (
      <Select
        key={`${name} ${value}`}
        name={name}
        aria-label={label}
        placeholder={all}
        defaultValue={value ?? ''}
        options={options}
        className="max-sm:w-[calc(50%-0.25rem)] sm:w-40"
      />
    )
  })
}
