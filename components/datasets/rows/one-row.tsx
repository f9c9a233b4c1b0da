'use client'

import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { ownValue } from '#lib/domain/text/own-value'
import { columnLabel, isField } from '../lead-fields.tsx'

type Props = {
  columns: { name: string; key: string }[]
  row: Record<string, string>
  onChange: (row: Record<string, string>) => void
}

/** Used if the dataset has no columns yet. */
const FIRST_FIELDS = ['email', 'first_name', 'last_name', 'company'] as const
/** More fields would be too many to fill in; a table can be pasted instead. */
const MOST_FIELDS = 12

/** One field per column, with columns that campaigns use first. */
export function OneRow({ columns, row, onChange }: Props) {
  const known = columns.length > 0 ? columns : FIRST_FIELDS.map((key) => ({ key, name: key }))
  const fields = known
    .toSorted((a, b) => Number(!isField(a.key)) - Number(!isField(b.key)))
    .slice(0, MOST_FIELDS)
  function write(key: string, value: string) {
    const { [key]: _, ...others } = row
    onChange(value.trim() ? { ...others, [key]: value } : others)
  }
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {fields.map((column) => (
        <Field key={column.key} label={columnLabel(column)} name={column.key}>
          <Input
            type={column.key === 'email' ? 'email' : 'text'}
            value={ownValue(row, column.key) ?? ''}
            onChange={(event) => write(column.key, event.target.value)}
          />
        </Field>
      ))}
    </div>
  )
}
