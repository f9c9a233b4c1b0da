import { Field } from '#components/ui/controls/field'
import { Select } from '#components/ui/controls/select'
import { counted } from '#components/ui/counted'
import type { SheetPreview } from '#lib/contracts/datasets/uploads'

const rowsLabel = ({ row_count }: SheetPreview) => (row_count === null ? null : counted(row_count, 'rows'))

type Props = { sheets: SheetPreview[]; chosen: string; onChoose: (name: string) => void }

export function SheetPicker({ sheets, chosen, onChoose }: Props) {
  return (
    <Field label={`Sheet (${sheets.length} in the file)`}>
      <Select
        value={chosen}
        onChange={(event) => onChoose(event.target.value)}
        options={sheets.map((sheet) => ({
          value: sheet.name,
          label: [sheet.name, rowsLabel(sheet), sheet.hidden && 'hidden'].filter(Boolean).join(' · '),
          disabled: sheet.row_count === 0,
        }))}
      />
    </Field>
  )
}
