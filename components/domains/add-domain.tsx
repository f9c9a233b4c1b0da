import { KeptFields } from '#components/drafts/kept-fields'
import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'

export function AddDomain({ add }: { add: FormAction }) {
  return (
    <ActionForm action={add} className="grid w-full max-w-xl gap-4 text-left">
      <KeptFields name="domain:new" what="The domain" />
      <Field
        label="Domain"
        name="domain"
        required
        hint="The part after the @ of your mailboxes. You need access to its DNS settings."
      >
        <Input placeholder="example.com" autoComplete="off" autoCapitalize="none" spellCheck={false} />
      </Field>
      <div>
        <SubmitButton>Add domain</SubmitButton>
      </div>
    </ActionForm>
  )
}
