'use client'

import { useEffect, useRef, useState } from 'react'
import { Button } from '#components/ui/controls/button'
import { Checkbox } from '#components/ui/controls/checkbox'
import { counted } from '#components/ui/counted'
import { Callout } from '#components/ui/feedback/callout'
import { DialogActions } from '#components/ui/overlays/dialog-actions'
import type { TableChanges } from '#lib/contracts/datasets/table-sync'
import type { Confirmed } from './sync-answers.tsx'

type Props = {
  changes: TableChanges
  isPending: boolean
  onBack: () => void
  onApply: (chosen: Confirmed) => void
}

const n = (count: number) => count.toLocaleString('en')
const rows = (count: number) => (count === 1 ? '1 row' : `${n(count)} rows`)
const leads = (count: number) => (count === 1 ? '1 lead' : `${n(count)} leads`)

const REFUSED: Record<TableChanges['refused'][number]['code'], string> = {
  missing_email: 'without an address',
  invalid_email: 'whose address is not valid',
  duplicate_email: 'whose address appears above',
  too_long: 'with a cell that is too long',
}

type Samples<Key extends 'changed' | 'gone'> = TableChanges[Key]['samples'][number]
const rowName = ({ email, lead_index }: { email: string | null; lead_index: number }) =>
  email ?? `Row ${lead_index + 1}`
const changedLine = (row: Samples<'changed'>) =>
  `${rowName(row)}: ${Object.entries(row.after)
    .map(([key, value]) => `${key}: ${row.before[key] ?? '–'} → ${value}`)
    .join(', ')}`
const goneLine = (row: Samples<'gone'>) =>
  `${rowName(row)}${row.waiting_leads > 0 ? ` (${leads(row.waiting_leads)} waiting)` : ''}`

/** The changes by kind. Rows that are gone stay unless the user chooses otherwise. */
export function SyncChanges({ changes, isPending, onBack, onApply }: Props) {
  const { added, changed, gone, unchanged, repeated } = changes
  const section = useRef<HTMLElement>(null)
  // The control that was used is gone with its step, so move the focus here.
  useEffect(() => {
    if (document.activeElement === document.body) section.current?.focus()
  }, [])
  const [chosen, setChosen] = useState<Confirmed>({ add: true, update: true, remove: false })
  const set = (kind: keyof Confirmed) => (event: { currentTarget: { checked: boolean } }) =>
    setChosen({ ...chosen, [kind]: event.currentTarget.checked })
  const hasChanges =
    (chosen.add && added.count > 0) ||
    (chosen.update && changed.count > 0) ||
    (chosen.remove && gone.count > 0)
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label="Changes"
      className="grid grid-cols-[minmax(0,1fr)] gap-4 text-sm focus-visible:outline-none"
    >
      <p role="status">
        {rows(unchanged)} of “{changes.sheet}” unchanged
        {repeated > 0 && `, ${n(repeated)} repeated`}. Nothing is written yet.
      </p>
      <Kind
        label={`Add ${rows(added.count)}`}
        isEmpty={added.count === 0}
        checked={chosen.add}
        onChange={set('add')}
        lines={added.samples.map(({ data }) => Object.values(data).join(' · '))}
      />
      <Kind
        label={`Change ${rows(changed.count)} (${counted(changed.cells, 'cells')})`}
        isEmpty={changed.count === 0}
        checked={chosen.update}
        onChange={set('update')}
        lines={changed.samples.map(changedLine)}
      />
      <Kind
        label={`Remove ${rows(gone.count)} that the table does not have`}
        isEmpty={gone.count === 0}
        checked={chosen.remove}
        onChange={set('remove')}
        lines={gone.samples.map(goneLine)}
      />
      <Cautions changes={changes} removes={chosen.remove} />
      <DialogActions>
        <Button onClick={onBack} aria-disabled={isPending}>
          Use another table
        </Button>
        <Button
          variant="primary"
          disabled={!hasChanges}
          aria-busy={isPending}
          onClick={() => onApply(chosen)}
        >
          Apply
        </Button>
      </DialogActions>
    </section>
  )
}

/** What a removal ends, and which rows of the table cannot be imported. */
function Cautions({ changes: { gone, refused }, removes }: { changes: TableChanges; removes: boolean }) {
  return (
    <>
      {removes && gone.waiting_leads > 0 && (
        <Callout tone="warning">
          {leads(gone.waiting_leads)} of these rows {gone.waiting_leads === 1 ? 'waits' : 'wait'} for a step
          and {gone.waiting_leads === 1 ? 'ends' : 'end'}, in every campaign. This cannot be undone.
        </Callout>
      )}
      {refused.length > 0 && (
        <p className="text-muted">
          Not taken: {refused.map(({ code, count }) => `${rows(count)} ${REFUSED[code]}`).join(', ')}.
        </p>
      )}
    </>
  )
}

type KindProps = {
  label: string
  isEmpty: boolean
  checked: boolean
  onChange: (event: { currentTarget: { checked: boolean } }) => void
  lines: string[]
}

function Kind({ label, isEmpty, checked, onChange, lines }: KindProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <Checkbox label={label} disabled={isEmpty} checked={checked && !isEmpty} onChange={onChange} />
      {lines.length > 0 && (
        <ul className="max-h-40 overflow-y-auto pl-6 text-muted" aria-label={label}>
          {lines.map((line) => (
            <li key={line} className="wrap-anywhere">
              {line}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
