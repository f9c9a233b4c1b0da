'use client'

import { useRef } from 'react'
import { ActionForm, type FormAction } from '#components/ui/action-form'
import { Field } from '#components/ui/field'
import { SubmitButton } from '#components/ui/submit-button'
import { Textarea } from '#components/ui/textarea'

/** What was typed stays until it has left. */
export function AnswerForm({ to, send }: { to: string; send: FormAction }) {
  const frame = useRef<HTMLDivElement>(null)
  return (
    <div ref={frame} className="rounded-md border border-border bg-surface p-4">
      <ActionForm
        action={send}
        className="grid justify-items-start gap-3"
        onDone={() => frame.current?.querySelector('form')?.reset()}
      >
        <Field label={`Answer ${to}`} name="text" className="w-full">
          <Textarea rows={5} required data-key="r" />
        </Field>
        <SubmitButton variant="primary">Send</SubmitButton>
      </ActionForm>
    </div>
  )
}
