'use client'

import { useId, useRef } from 'react'
import { KeptFields } from '#components/drafts/kept-fields'
import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Textarea } from '#components/ui/controls/textarea'
import { OfferedPeople, type Person, useOfferedPeople } from '../offered-people.tsx'
import { submitsByKey } from './submit-key.tsx'

type Props = { thread_id: string; people: Person[]; max: number; write: FormAction }

/** A note visible to members only. `@` suggests their names. */
export function NoteForm({ thread_id, people, max, write }: Props) {
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const { offered, chosen, offer, take, onKey, close } = useOfferedPeople(frame, people)
  return (
    <div ref={frame}>
      <ActionForm
        action={write}
        className="relative grid grid-cols-[minmax(0,1fr)] justify-items-start gap-2"
        onDone={() => frame.current?.querySelector('form')?.reset()}
      >
        <KeptFields name={`note:${thread_id}`} what="The note" />
        <Field
          label="Note for members"
          name="text"
          className="w-full"
          aside={<span className="text-muted">Never sent. Use @ to mention somebody.</span>}
        >
          <Textarea
            rows={2}
            className="in-data-used:min-h-32!"
            required
            maxLength={max}
            aria-autocomplete="list"
            aria-controls={`${id}-people`}
            aria-activedescendant={offered.length > 0 ? `${id}-people-${chosen}` : undefined}
            onInput={offer}
            onKeyDown={(event) => {
              if (!submitsByKey(event)) onKey(event)
            }}
            onBlur={close}
          />
        </Field>
        <OfferedPeople id={id} offered={offered} chosen={chosen} take={take} />
        <SubmitButton>Add note</SubmitButton>
      </ActionForm>
    </div>
  )
}
