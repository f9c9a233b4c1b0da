'use client'

import { useState } from 'react'
import { KeptFields } from '#components/drafts/kept-fields'
import { ActionButton } from '#components/ui/controls/action-button'
import { ActionForm, type FormResult } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Textarea } from '#components/ui/controls/textarea'
import { Dialog } from '#components/ui/overlays/dialog'
import { ownValue } from '#lib/domain/text/own-value'
import { columnLabel } from '../lead-fields.tsx'
import type { RowLine } from '../row-line.tsx'
import type { EditCell } from './use-cell-edits.tsx'

export type RowActs = {
  edit: (leadIndex: number, previous: FormResult | null, data: FormData) => Promise<FormResult>
  remove: (leadIndex: number) => Promise<FormResult>
  /** Given if cells can be edited in the table. */
  cell?: EditCell
}

type Props = {
  dataset_id: string
  row: RowLine
  columns: { name: string; key: string }[]
  acts: RowActs
  onClose: () => void
}

/** Longer cells use a multi-line field. */
const LINE_CHARS = 60

/** All cells of one row, to read, edit, or remove the row. */
export function RowDrawer(props: Props) {
  const [isRemoving, setRemoving] = useState(false)
  // Replaces the drawer instead of opening over it: content that loads in a dialog over the drawer could hide the drawer meanwhile.
  return isRemoving ? (
    <RemoveRow {...props} onClose={() => setRemoving(false)} onDone={props.onClose} />
  ) : (
    <EditRow {...props} onRemove={() => setRemoving(true)} />
  )
}

function EditRow({ dataset_id, row, columns, acts, onClose, onRemove }: Props & { onRemove: () => void }) {
  const { lead_index, cells, version } = row
  const values = Object.fromEntries(columns.map(({ key }) => [`data.${key}`, ownValue(cells, key) ?? '']))
  return (
    <Dialog
      isOpen
      look="drawer"
      onClose={onClose}
      title={`Row ${lead_index + 1}`}
      description="Messages that are not sent yet use the new values."
    >
      <ActionForm action={acts.edit.bind(null, lead_index)} onDone={onClose} className="grid gap-4">
        <KeptFields
          name={`dataset-row:${dataset_id}:${lead_index}`}
          what="The row"
          version={version}
          values={values}
        />
        {columns.map((column) => (
          <Field key={column.key} label={columnLabel(column)} name={`data.${column.key}`}>
            <Cell value={ownValue(cells, column.key) ?? ''} />
          </Field>
        ))}
        <div className="sticky -bottom-4 -mx-5 -mb-4 flex gap-2 border-t border-border bg-raised px-5 py-3">
          <Button variant="danger" className="mr-auto" onClick={onRemove}>
            Remove
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton>Save</SubmitButton>
        </div>
      </ActionForm>
    </Dialog>
  )
}

function RemoveRow({ row, acts, onClose, onDone }: Props & { onDone: () => void }) {
  const { lead_index, cells } = row
  const remove = async () => {
    const result = await acts.remove(lead_index)
    if (result.ok) onDone()
    return result
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Remove ${cells.email ?? `row ${lead_index + 1}`} from the dataset?`}
      description="Leads of this row that wait for a step are skipped in all campaigns. This cannot be undone."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <ActionButton variant="danger" act={remove}>
            Remove row
          </ActionButton>
        </>
      }
    />
  )
}

function Cell({ value }: { value: string }) {
  const isLong = value.length > LINE_CHARS || value.includes('\n')
  return isLong ? <Textarea rows={4} defaultValue={value} /> : <Input defaultValue={value} />
}
