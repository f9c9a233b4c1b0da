'use client'

import { useMemo, useState, useTransition } from 'react'
import { Button } from '#components/ui/controls/button'
import { Checkbox } from '#components/ui/controls/checkbox'
import { SegmentedControl } from '#components/ui/controls/segmented-control'
import { failedResult } from '#components/ui/failed-result'
import { Callout } from '#components/ui/feedback/callout'
import { Dialog } from '#components/ui/overlays/dialog'
import { useHeldDialog } from '#components/ui/overlays/hold-dialog'
import { toast } from '#components/ui/overlays/toast'
import { namedRows, readPastedTable } from '#lib/domain/datasets/pasted-table'
import {
  type AddedRows,
  type AddRowsAct,
  addedText,
  countText,
  type GivenRows,
  NO_ROWS,
  type RowNoun,
  type RowsDraft,
} from './added-rows.tsx'
import { OneRow } from './one-row.tsx'
import { isTooLong, PastedRows } from './pasted-rows.tsx'
import { SkippedRows } from './skipped-rows.tsx'

type Props = {
  noun: RowNoun
  columns: { name: string; key: string }[]
  add: AddRowsAct
  description: string
  draft: RowsDraft
  setDraft: (draft: RowsDraft) => void
  onClose: () => void
}

const WAYS = [
  { value: 'table', label: 'Paste a table' },
  { value: 'one', label: 'One at a time' },
]

const WHAT_TO_DO = <p className="text-sm text-muted">Fix them and add them again, or leave them out.</p>

/** The pasted table, its column mapping, and the rows resulting from the chosen method. */
function useGiven({ way, text, mapping: chosen, row }: RowsDraft) {
  const table = useMemo(() => readPastedTable(text), [text])
  const mapping = chosen ?? table.mapping
  const given = useMemo(() => {
    if (way === 'one') return [row]
    return isTooLong(table) ? [] : namedRows(table, mapping)
  }, [way, row, table, mapping])
  return { table, mapping, given }
}

/** Adds rows and, if some were skipped, lists which and why. */
export function AddRowsDialog({ noun, add, draft, setDraft, onClose, ...rest }: Props) {
  const read = useGiven(draft)
  const [given, setGiven] = useState<Record<string, string>[]>([])
  const [answer, setAnswer] = useState<AddedRows | null>(null)
  async function send(on_conflict: GivenRows['on_conflict']): Promise<string | null> {
    const result = await add({ rows: read.given, on_conflict }).catch(failedResult)
    if (!result.ok) return result.message
    setGiven(read.given)
    setDraft(NO_ROWS)
    if (result.answer.skipped.length > 0) setAnswer(result.answer)
    else {
      toast.success(`${addedText(result.answer, noun)}.`)
      onClose()
    }
    return null
  }
  if (!answer) return <GiveRows {...{ noun, draft, setDraft, read, send, onClose }} {...rest} />
  return (
    <Dialog
      isOpen
      wide
      onClose={onClose}
      title={addedText(answer, noun)}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="grid gap-3">
        {WHAT_TO_DO}
        <SkippedRows skipped={answer.skipped} rows={given} />
      </div>
    </Dialog>
  )
}

type Giving = Omit<Props, 'add'> & {
  read: ReturnType<typeof useGiven>
  /** Returns why nothing was saved, or null. */
  send: (on_conflict: GivenRows['on_conflict']) => Promise<string | null>
}

/** Keeps the dialog open until the answer, so that it can show skipped rows. */
function Held({ isHeld }: { isHeld: boolean }) {
  useHeldDialog(isHeld)
  return null
}

function GiveRows({ noun, columns, description, draft, setDraft, read, send, onClose }: Giving) {
  const { way, text, row } = draft
  const { table, mapping, given } = read
  const [isUpdate, setUpdate] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [isPending, start] = useTransition()
  const count = given.filter((row) => Object.keys(row).length > 0).length
  const save = () => start(async () => setProblem(await send(isUpdate ? 'update' : 'skip')))
  return (
    <Dialog
      isOpen
      wide
      onClose={onClose}
      title={`Add ${noun}`}
      description={description}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={count === 0} aria-busy={isPending} onClick={save}>
            {count === 0 ? `Add ${noun}` : `Add ${countText(count, noun)}`}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Held isHeld={isPending} />
        {problem && (
          <Callout tone="danger" role="alert">
            {problem}
          </Callout>
        )}
        <SegmentedControl
          legend="How"
          name="way"
          options={WAYS}
          value={way}
          onChange={(next) => setDraft({ ...draft, way: next })}
        />
        {way === 'one' ? (
          <OneRow {...{ columns, row }} onChange={(next) => setDraft({ ...draft, row: next })} />
        ) : (
          <PastedRows
            {...{ text, table, mapping }}
            onWrite={(next) => setDraft({ ...draft, text: next, mapping: null })}
            onMap={(next) => setDraft({ ...draft, mapping: next })}
          />
        )}
        <Update isOn={isUpdate} onChange={setUpdate} />
      </div>
    </Dialog>
  )
}

const Update = ({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) => (
  <Checkbox
    name="update"
    checked={isOn}
    onChange={(event) => onChange(event.target.checked)}
    label="Update existing rows"
    hint="Otherwise existing rows are not changed. Empty cells change nothing."
  />
)
