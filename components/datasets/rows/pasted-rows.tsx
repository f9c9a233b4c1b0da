'use client'

import { Field } from '#components/ui/controls/field'
import { Textarea } from '#components/ui/controls/textarea'
import { Callout } from '#components/ui/feedback/callout'
import { MAX_COLUMNS, MAX_ROWS_AT_ONCE } from '#lib/domain/datasets/given-rows'
import type { PastedTable } from '#lib/domain/datasets/pasted-table'
import { ColumnMapping } from '../column-mapping.tsx'

type Props = {
  text: string
  table: PastedTable
  mapping: Record<string, string>
  onWrite: (text: string) => void
  onMap: (mapping: Record<string, string>) => void
}

export const isTooLong = (table: PastedTable) => table.rows.length > MAX_ROWS_AT_ONCE

/** The pasted text, and how it was understood, before anything is saved. */
export function PastedRows({ text, table, mapping, onWrite, onMap }: Props) {
  return (
    <>
      <Field
        label="Table"
        name="table"
        hint="Copied from a spreadsheet, or csv. The first line may name the columns."
      >
        <Textarea
          rows={6}
          className="font-mono whitespace-pre"
          value={text}
          onChange={(event) => onWrite(event.target.value)}
        />
      </Field>
      {isTooLong(table) && (
        <Callout tone="warning" role="alert">
          {`These are ${table.rows.length.toLocaleString('en')} rows. Paste at most ${MAX_ROWS_AT_ONCE.toLocaleString('en')} at once, or import them as a file.`}
        </Callout>
      )}
      {table.is_too_wide && (
        <Callout tone="warning" role="alert">
          {`This table has more than ${MAX_COLUMNS.toLocaleString('en')} columns. Copy only those that you need.`}
        </Callout>
      )}
      {table.columns.length > 0 && (
        <ColumnMapping
          sheet={{ name: 'the pasted table', row_count: table.rows.length, columns: table.columns }}
          mapping={mapping}
          onChange={onMap}
        />
      )}
    </>
  )
}
