import type { ReactNode } from 'react'

type Props = {
  legend: string
  name: string
  options: { value: string; label: ReactNode }[]
  value?: string
  defaultValue?: string
  onChange?: (value: string) => void
}

/** Two to four short choices, one always selected; implemented as radio buttons, so arrow keys work. */
export function SegmentedControl({ legend, name, options, value, defaultValue, onChange }: Props) {
  return (
    <fieldset className="inline-flex h-fit w-fit gap-0.5 rounded-sm border border-border bg-sunken p-0.5">
      <legend className="sr-only">{legend}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="inline-flex h-6 items-center gap-1.5 rounded-xs px-2 text-sm text-muted has-checked:bg-raised has-checked:font-medium has-checked:text-text has-checked:shadow-control has-checked:ring-1 has-checked:ring-border has-focus-visible:outline-2 has-focus-visible:outline-accent-text [&_svg]:size-3.5"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            className="sr-only"
            {...(value === undefined
              ? { defaultChecked: option.value === defaultValue }
              : { checked: option.value === value })}
            onChange={onChange ? () => onChange(option.value) : undefined}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
