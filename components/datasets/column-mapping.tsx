import { Select } from '#components/ui/controls/select'
import { Skeleton } from '#components/ui/feedback/skeleton'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import type { SheetPreview } from '#lib/contracts/datasets/uploads'
import { ownValue } from '#lib/domain/text/own-value'
import { FIELD_LABELS } from './lead-fields.tsx'

type Column = Omit<SheetPreview['columns'][number], 'type'>

type Props = {
  sheet: Pick<SheetPreview, 'name' | 'row_count'> & { columns: Column[] }
  /** Whether missing counts are still being computed. */
  isCounting?: boolean
  mapping: Record<string, string>
  onChange: (mapping: Record<string, string>) => void
}

/** Each column with sample values and the field it maps to. A field can be used by one column only. */
export function ColumnMapping({ sheet, isCounting = false, mapping, onChange }: Props) {
  function choose(column: string, field: string) {
    const others = Object.entries(mapping).filter(([name, taken]) => name !== column && taken !== field)
    onChange(Object.fromEntries(field ? [...others, [column, field]] : others))
  }
  const options = Object.entries(FIELD_LABELS).map(([value, label]) => ({ value, label }))
  return (
    <Table caption={`Columns of ${sheet.name}`}>
      <thead>
        <tr>
          <Th>Column</Th>
          <Th>Becomes</Th>
          <Th>Filled</Th>
          <Th className="w-2/5">Samples</Th>
        </tr>
      </thead>
      <tbody>
        {sheet.columns.map((column) => (
          <Tr key={column.index}>
            <Td lead>{column.name}</Td>
            <Td label="Becomes">
              <Select
                aria-label={`Field for column ${column.name}`}
                placeholder="Keep as is"
                options={options}
                value={ownValue(mapping, column.name) ?? ''}
                onChange={(event) => choose(column.name, event.target.value)}
                className="w-44"
              />
            </Td>
            <Td label="Filled">
              <Filled count={column.filled_count} of={sheet.row_count} isCounting={isCounting} />
            </Td>
            <Td label="Samples" className="max-w-0 max-sm:max-w-none">
              <span className="block truncate text-muted">
                {column.sample_values.slice(0, 3).join(' · ') || '–'}
              </span>
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  )
}

type FilledProps = { count: number | null; of: number | null; isCounting: boolean }

function Filled({ count, of, isCounting }: FilledProps) {
  if (count === null || of === null) return isCounting ? <Skeleton className="h-3.5 w-24" /> : '–'
  return (
    <span className="whitespace-nowrap">
      {count.toLocaleString('en')} of {of.toLocaleString('en')}
    </span>
  )
}
