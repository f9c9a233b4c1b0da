'use client'

import { ActionForm, type FormAction } from '#components/ui/action-form'
import { Field } from '#components/ui/field'
import { Input } from '#components/ui/input'
import { SubmitButton } from '#components/ui/submit-button'

type Props = { step: number; variant: string | null; send: FormAction }

/** One copy of the saved step to an address of one's own; it counts for nothing in the campaign. */
export function TestSend({ step, variant, send }: Props) {
  return (
    <ActionForm action={send} className="mt-3 rounded-md border border-border bg-surface p-4">
      <input type="hidden" name="step" value={step} />
      <input type="hidden" name="variant" value={variant ?? ''} />
      <Field
        label="Send a test to"
        name="to"
        required
        hint="As it was last saved, filled with the first lead."
      >
        <Input type="email" autoComplete="email" placeholder="you@example.com" />
      </Field>
      <div className="mt-3">
        <SubmitButton variant="secondary">Send a test of step {step}</SubmitButton>
      </div>
    </ActionForm>
  )
}
