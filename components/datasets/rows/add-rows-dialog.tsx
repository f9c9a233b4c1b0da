'use client'

import { useState, useTransition } from 'react'
import { Button } from '#components/ui/controls/button'
import { Checkbox } from '#components/ui/controls/checkbox'
import { SegmentedControl } from '#components/ui/controls/segmented-control'
import { Callout } from '#components/ui/feedback/callout'
import { Dialog } from '#components/ui/overlays/dialog'
import { toast } from '#components/ui/overlays/toast'
import {
  type AddedRows,
  type AddRowsAct,
  addedText,
  countText,
  type GivenRows,
  type RowNoun,
} from './added-rows.tsx'
import { OneRow } from './one-row.tsx'
import { PastedRows } from './pasted-rows.tsx'
import { SkippedRows } from './skipped-rows.tsx'

type Props = {
  noun: RowNoun
  columns: { name: string; key: string }[]
  add: AddRowsAct
  description: string
  onClose: () => void
}

const WAYS = [
  { value: 'table', label: 'Paste a table' },
  { value: 'one', label: 'One at a time' },
]

const WHAT_TO_DO = <p className="text-sm text-muted">Fix them and add them again, or leave them out.</p>

/** What is given, and where some of it was skipped, which and why. */
export function AddRowsDialog({ noun, add, onClose, ...rest }: Props) {
  const [given, setGiven] = useState<Record<string, string>[]>([])
  const [answer, setAnswer] = useState<AddedRows | null>(null)
  async function send(on_conflict: GivenRows['on_conflict']): Promise<string | null> {
    const result = await add({ rows: given, on_conflict })
    if (!result.ok) return result.message
    if (result.answer.skipped.length > 0) setAnswer(result.answer)
    else {
      toast.success(`${addedText(result.answer, noun)}.`)
      onClose()
    }
    return null
  }
  if (!answer) return <GiveRows {...{ noun, given, setGiven, send, onClose }} {...rest} />
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
  given: Record<string, string>[]
  setGiven: (rows: Record<string, string>[]) => void
  /** Answers why nothing was saved. */
  send: (on_conflict: GivenRows['on_conflict']) => Promise<string | null>
}

function GiveRows({ noun, columns, description, given, setGiven, send, onClose }: Giving) {
  const [way, setWay] = useState('table')
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
      <div className="grid gap-4">
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
          onChange={(next) => {
            setWay(next)
            setGiven([])
          }}
        />
        {way === 'one' ? (
          <OneRow columns={columns} onChange={(row) => setGiven([row])} />
        ) : (
          <PastedRows onChange={setGiven} />
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
