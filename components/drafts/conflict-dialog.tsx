'use client'

import { useState } from 'react'
import { Button } from '#components/ui/controls/button'
import { Dialog } from '#components/ui/overlays/dialog'
import type { Clash } from '#lib/domain/campaigns/edit-conflict'

export type ShownClash = Clash & { label: string; mine: string; theirs: string }

type Props = {
  clashes: ShownClash[]
  /** Called with the fields to take from the other edit. */
  onDecide: (taken: ReadonlySet<string>) => void
  onClose: () => void
}

const BY = {
  me: 'Changed by you.',
  them: 'Changed by someone else.',
  both: 'Changed by you and by someone else.',
}

/** Shows two conflicting edits side by side. The user chooses per field; nothing is lost before that. */
export function ConflictDialog({ clashes, onDecide, onClose }: Props) {
  const [taken, setTaken] = useState<ReadonlySet<string>>(
    () => new Set(clashes.flatMap(({ field, changed_by }) => (changed_by === 'them' ? [field] : []))),
  )
  function choose(field: string, isTheirs: boolean) {
    const next = new Set(taken)
    if (isTheirs) next.add(field)
    else next.delete(field)
    setTaken(next)
  }
  return (
    <Dialog
      isOpen
      wide
      onClose={onClose}
      title="Someone else saved changes"
      description="Your changes are not saved yet. Choose which version to keep for each field."
      footer={
        <>
          <Button onClick={onClose}>Keep editing</Button>
          <Button variant="primary" onClick={() => onDecide(taken)}>
            Save these choices
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {clashes.length > 1 && (
          <div className="flex flex-wrap gap-2">
            <Button size="sm" onClick={() => setTaken(new Set())}>
              Keep all of mine
            </Button>
            <Button size="sm" onClick={() => setTaken(new Set(clashes.map(({ field }) => field)))}>
              Use all of theirs
            </Button>
          </div>
        )}
        {clashes.map(({ field, label, changed_by, mine, theirs }) => (
          <Choice
            key={field}
            {...{ field, label, changed_by, mine, theirs }}
            isTheirs={taken.has(field)}
            choose={(isTheirs) => choose(field, isTheirs)}
          />
        ))}
      </div>
    </Dialog>
  )
}

type SideProps = { field: string; title: string; text: string; isChosen: boolean; choose: () => void }

function Side({ field, title, text, isChosen, choose }: SideProps) {
  return (
    <label className="flex min-w-0 items-start gap-2.5 rounded-sm border border-border bg-surface px-3 py-2 text-sm has-checked:border-accent-text has-checked:bg-accent-subtle">
      <input
        type="radio"
        name={`clash-${field}`}
        // Keeps the control out of the form around it: there is no form with this id.
        form="choice"
        checked={isChosen}
        onChange={choose}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <span className="min-w-0">
        <span className="font-medium">{title}</span>
        <span className="block max-h-60 overflow-y-auto whitespace-pre-wrap wrap-anywhere">
          {text || <span className="text-muted">(empty)</span>}
        </span>
      </span>
    </label>
  )
}

type ChoiceProps = Props['clashes'][number] & { isTheirs: boolean; choose: (isTheirs: boolean) => void }

function Choice({ field, label, changed_by, mine, theirs, isTheirs, choose }: ChoiceProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm">
        <span className="font-medium">{label}</span> <span className="text-muted">{BY[changed_by]}</span>
      </legend>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2 sm:grid-cols-2">
        <Side field={field} title="Mine" text={mine} isChosen={!isTheirs} choose={() => choose(false)} />
        <Side field={field} title="Theirs" text={theirs} isChosen={isTheirs} choose={() => choose(true)} />
      </div>
    </fieldset>
  )
}
