'use client'

import { useState } from 'react'
import { Field } from '#components/ui/controls/field'
import { Textarea } from '#components/ui/controls/textarea'
import { Callout } from '#components/ui/feedback/callout'
import { MAX_COLUMNS, MAX_ROWS_AT_ONCE } from '#lib/domain/datasets/given-rows'
import { namedRows, type PastedTable, readPastedTable } from '#lib/domain/datasets/pasted-table'
import { ColumnMapping } from '../column-mapping.tsx'

type Props = { onChange: (rows: Record<string, string>[]) => void }

/** What was pasted, and what was understood of it before anything is saved. */
export function PastedRows({ onChange }: Props) {
  const [table, setTable] = useState<PastedTable | null>(null)
  const [mapping, setMapping] = useState<Record<string, string>>({})
  const isTooLong = (table?.rows.length ?? 0) > MAX_ROWS_AT_ONCE

  function show(next: PastedTable, chosen: Record<string, string>) {
    setTable(next)
    setMapping(chosen)
    onChange(next.rows.length > MAX_ROWS_AT_ONCE ? [] : namedRows(next, chosen))
  }
  function read(text: string) {
    const next = readPastedTable(text)
    show(next, next.mapping)
  }
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
          onChange={(event) => read(event.target.value)}
        />
      </Field>
      {isTooLong && (
        <Callout tone="warning" role="alert">
          {`These are ${table?.rows.length.toLocaleString('en')} rows. Paste at most ${MAX_ROWS_AT_ONCE.toLocaleString('en')} at once, or import them as a file.`}
        </Callout>
      )}
      {table?.is_too_wide && (
        <Callout tone="warning" role="alert">
          {`This table has more than ${MAX_COLUMNS.toLocaleString('en')} columns. Copy only those that you need.`}
        </Callout>
      )}
      {table && table.columns.length > 0 && (
        <ColumnMapping
          sheet={{ name: 'the pasted table', row_count: table.rows.length, columns: table.columns }}
          mapping={mapping}
          onChange={(chosen) => show(table, chosen)}
        />
      )}
    </>
  )
}
