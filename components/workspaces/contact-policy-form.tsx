import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Checkbox } from '#components/ui/controls/checkbox'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { RadioGroup } from '#components/ui/controls/radio-group'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Panel } from '#components/ui/layout/panel'
import { AskAdmin } from '#components/workspaces/ask-admin'
import type { ContactPolicy } from '#lib/contracts/workspaces/contact-policy'
import type { Role } from '#lib/domain/workspaces/roles'

const CHOICES = [
  {
    value: 'everywhere',
    label: 'In every campaign',
    hint: 'People who replied get nothing more from any campaign, including ones you launch later.',
  },
  {
    value: 'campaign',
    label: 'In the campaign they replied to',
    hint: 'Other campaigns continue.',
  },
]

/** How your campaigns share the people they contact. */
export function ContactPolicyForm({
  policy,
  role,
  save,
}: {
  policy: ContactPolicy
  role: Role
  save: FormAction
}) {
  return (
    <Panel title="Contact policy" description="How your campaigns share the people they contact.">
      <ActionForm version={policy.version} action={save} className="grid max-w-xl gap-4">
        <input type="hidden" name="version" value={policy.version} />
        <Checkbox
          name="one_campaign_at_a_time"
          defaultChecked={policy.one_campaign_at_a_time}
          label="One campaign at a time"
          hint="People in one campaign get nothing from another until they finish it."
        />
        <Field
          label="Days of rest"
          name="rest_days"
          hint="Between the last step of one campaign and the first step of the next."
        >
          <Input type="number" min={0} max={365} defaultValue={policy.rest_days} />
        </Field>
        <Field
          label="People per company at a time"
          name="company_max_active"
          hint="Companies are matched by email domain. Leave empty for no limit."
        >
          <Input type="number" min={1} defaultValue={policy.company_max_active ?? ''} />
        </Field>
        <Field
          label="Days after a colleague’s reply"
          name="colleague_reply_days"
          hint="How long nobody else at the company is contacted after somebody there replied. 0: no wait."
        >
          <Input type="number" min={0} max={365} defaultValue={policy.colleague_reply_days} />
        </Field>
        <RadioGroup
          name="after_reply"
          legend="After a reply, stop contacting them"
          choices={CHOICES}
          defaultValue={policy.after_reply}
        />
        <AskAdmin role={role} needs="admin">
          <div>
            <SubmitButton>Save</SubmitButton>
          </div>
        </AskAdmin>
      </ActionForm>
    </Panel>
  )
}
