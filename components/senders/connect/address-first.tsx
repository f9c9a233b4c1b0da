import Form from 'next/form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Panel } from '#components/ui/layout/panel'

/** The field from which everything else is derived. */
export function AddressFirst({ address, problem }: { address: string; problem: string | undefined }) {
  return (
    <Panel className="max-w-2xl">
      <Form action="/mailboxes/new" className="flex flex-wrap items-start gap-3">
        <Field
          label="Email address"
          name="address"
          required
          {...(problem && { error: problem })}
          hint="Opener works out how to sign in."
          className="min-w-64 flex-1"
        >
          <Input type="email" autoComplete="off" placeholder="ana@company.com" defaultValue={address} />
        </Field>
        <SubmitButton className="sm:mt-6">Continue</SubmitButton>
      </Form>
    </Panel>
  )
}
