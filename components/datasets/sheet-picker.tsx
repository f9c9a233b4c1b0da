import { Field } from '#components/ui/controls/field'
import { Select } from '#components/ui/controls/select'
import type { SheetPreview } from '#lib/contracts/datasets/uploads'

type Props = { sheets: SheetPreview[]; chosen: string; onChoose: (name: string) => void }

export function SheetPicker({ sheets, chosen, onChoose }: Props) {
  return (
    <Field label={`Sheet (${sheets.length} in the file)`}>
      <Select
        value={chosen}
        onChange={(event) => onChoose(event.target.value)}
        options={sheets.map((sheet) => ({
          value: sheet.name,
          label: `${sheet.name} · ${sheet.row_count.toLocaleString('en')} rows${sheet.hidden ? ' · hidden' : ''}`,
          disabled: sheet.row_count === 0,
        }))}
      />
    </Field>
  )
}
