import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Select } from '#components/ui/controls/select'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { ACCOUNT_PROVIDERS } from '#lib/contracts/senders/connected-accounts'
import { NETWORK_LABELS } from '../labels.tsx'

export function ConnectForm({ connect }: { connect: FormAction }) {
  return (
    <ActionForm action={connect} className="flex flex-wrap items-end gap-3">
      <Field label="Network" hideLabel name="provider" className="w-40">
        <Select
          options={ACCOUNT_PROVIDERS.map((value) => ({ value, label: NETWORK_LABELS[value] ?? value }))}
          defaultValue="linkedin"
        />
      </Field>
      <SubmitButton variant="primary">Connect</SubmitButton>
    </ActionForm>
  )
}
