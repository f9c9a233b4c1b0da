import { ActionForm, type FormAction } from '#components/ui/action-form'
import { Field } from '#components/ui/field'
import { Select } from '#components/ui/select'
import { SubmitButton } from '#components/ui/submit-button'
import { ACCOUNT_PROVIDERS } from '#lib/contracts/connected-accounts'
import { NETWORK_LABELS } from './labels.tsx'

export function ConnectForm({ connect }: { connect: FormAction }) {
  return (
    <ActionForm action={connect} className="flex flex-wrap items-end gap-3">
      <Field label="Network" name="provider" className="w-40">
        <Select
          options={ACCOUNT_PROVIDERS.map((value) => ({ value, label: NETWORK_LABELS[value] ?? value }))}
          defaultValue="linkedin"
        />
      </Field>
      <SubmitButton variant="primary">Connect</SubmitButton>
    </ActionForm>
  )
}
