'use client'

import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'

type Props = { step: number; lead: number; variant: string | null; isSaved: boolean; send: FormAction }

/** Sends one copy of the saved step to the user's own address; it does not count in the campaign. */
export function TestSend({ step, lead, variant, isSaved, send }: Props) {
  return (
    <ActionForm action={send} className="mt-3 rounded-md border border-border bg-surface p-4">
      <input type="hidden" name="step" value={step} />
      <input type="hidden" name="lead_index" value={lead} />
      <input type="hidden" name="variant" value={variant ?? ''} />
      <Field
        label="Send a test to"
        name="to"
        required
        hint={isSaved ? 'Exactly as shown above.' : 'Save first: the test uses the saved version.'}
      >
        <Input type="email" autoComplete="email" placeholder="you@example.com" />
      </Field>
      <div className="mt-3">
        <SubmitButton variant="secondary" disabled={!isSaved}>
          Send a test of step {step}
        </SubmitButton>
      </div>
    </ActionForm>
  )
}
