import { EditForm } from '#components/leads/forms/edit-form'
import type { FormChoices } from '#components/leads/forms/form-fields'
import { CodeBlock } from '#components/ui/code-block'
import { ActionButton } from '#components/ui/controls/action-button'
import type { FormAction } from '#components/ui/controls/action-form'
import { counted } from '#components/ui/counted'
import { Callout } from '#components/ui/feedback/callout'
import { Panel } from '#components/ui/layout/panel'
import type { Act } from '#components/ui/use-action'
import type { Form } from '#lib/contracts/leads/forms'
import { formSnippet, serverSnippet } from './form-snippet.ts'

type Props = { form: Form; choices: FormChoices; save: FormAction; remove: Act }

const count = (number: number) => number.toLocaleString('en')

/** One form: its confirmed entries, where people are added, and the code to embed. */
export function FormPanel({ form, choices, save, remove }: Props) {
  return (
    <Panel
      title={form.name}
      action={
        <>
          <EditForm form={form} choices={choices} save={save} />
          <ActionButton
            act={remove}
            confirm={{
              title: `Delete the form ${form.name}?`,
              description: `It stops accepting entries and erases ${counted(form.unconfirmed, 'unconfirmed entries')}. Rows and consents stay.`,
              label: 'Delete form',
              danger: true,
            }}
          >
            Delete
          </ActionButton>
        </>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {form.mailbox_id === null && (
          <Callout tone="warning">
            No confirmation emails are sent because this form has no mailbox. Edit the form to choose one.
          </Callout>
        )}
        <FormFacts form={form} choices={choices} />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
          <p className="text-sm text-muted">
            {form.signed
              ? 'Send entries from your server:'
              : 'Paste this into your page and style it as you like:'}
          </p>
          <CodeBlock
            label={`Code of ${form.name}`}
            code={form.signed ? serverSnippet(form) : formSnippet(form)}
          />
        </div>
      </div>
    </Panel>
  )
}

function FormFacts({ form, choices }: Pick<Props, 'form' | 'choices'>) {
  const findLabel = (options: FormChoices['mailboxes'], value: string | null) =>
    options.find((option) => option.value === value)?.label
  const campaign = findLabel(choices.campaigns, form.campaign_id)
  const mailbox = findLabel(choices.mailboxes, form.mailbox_id)
  const facts = [
    ['Confirmed', count(form.confirmed)],
    ['Waiting for confirmation', count(form.unconfirmed)],
    ...(form.not_added > 0 ? [['Confirmed, not added', count(form.not_added)]] : []),
    ['Fields', form.fields.map(({ name }) => name).join(', ')],
    ['Sites', form.signed ? 'Signed by your server' : form.allowed_origins.join(', ')],
    ['Emails from', mailbox ?? 'No mailbox'],
    ['Campaign', campaign ?? 'None'],
  ]
  return (
    <dl className="grid gap-x-6 gap-y-1.5 text-sm sm:grid-cols-2">
      {facts.map(([label, value]) => (
        <div key={label} className="flex justify-between gap-3">
          <dt className="text-muted">{label}</dt>
          <dd className="min-w-0 text-right wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
