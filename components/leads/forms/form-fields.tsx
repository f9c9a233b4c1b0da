import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { type Option, Select } from '#components/ui/controls/select'
import { Textarea } from '#components/ui/controls/textarea'
import type { Form } from '#lib/contracts/leads/forms'

export type FormChoices = { mailboxes: Option[]; campaigns: Option[] }

type Props = { choices: FormChoices; form?: Form | undefined }

/** Shared by new and existing forms. */
export function FormFields({ choices, form }: Props) {
  return (
    <>
      <Field label="Name" name="name" required hint="Visitors never see it.">
        <Input maxLength={100} defaultValue={form?.name} placeholder="Newsletter" />
      </Field>
      <Field
        label="Sites"
        name="allowed_origins"
        hint="Only pages on these sites can send the form. One per line."
      >
        <Textarea
          rows={2}
          placeholder="https://example.com"
          defaultValue={form?.allowed_origins.join('\n')}
        />
      </Field>
      <Field label="Consent text" name="consent_text" required hint="Kept with every entry as evidence.">
        <Textarea
          rows={2}
          maxLength={2_000}
          placeholder="Send me the newsletter of Example Ltd. I can unsubscribe at any time."
          defaultValue={form?.consent_text}
        />
      </Field>
      <MailFields choices={choices} form={form} />
      <Field
        label="Add to campaign"
        name="campaign_id"
        hint="People who confirm also become leads of that campaign."
      >
        <Select
          options={choices.campaigns}
          placeholder="None: add to the dataset only"
          defaultValue={form?.campaign_id ?? ''}
        />
      </Field>
      <Field
        label="Page after sending"
        name="redirect_url"
        hint="Leave empty to show a “check your inbox” page."
      >
        <Input
          type="url"
          maxLength={2_000}
          placeholder="https://example.com/thanks"
          defaultValue={form?.redirect_url ?? ''}
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Days to confirm" name="keep_days" hint="After that, the entry is erased.">
          <Input type="number" min={1} max={30} defaultValue={form?.keep_days ?? 7} />
        </Field>
        <Field label="Emails a day" name="mails_per_day" hint="Any more are sent the next day.">
          <Input type="number" min={1} max={5_000} defaultValue={form?.mails_per_day ?? 200} />
        </Field>
      </div>
    </>
  )
}

/** The confirmation email. */
function MailFields({ choices, form }: Props) {
  const [mailbox] = choices.mailboxes
  return (
    <>
      <Field label="Send the confirmation email from" name="mailbox_id">
        <Select
          options={choices.mailboxes}
          placeholder="No mailbox: no email is sent"
          defaultValue={form ? (form.mailbox_id ?? '') : (mailbox?.value ?? '')}
        />
      </Field>
      <Field label="Subject" name="mail_subject" required>
        <Input maxLength={200} defaultValue={form?.mail_subject ?? 'Please confirm your address'} />
      </Field>
      <Field label="Email text" name="mail_text" required hint="The link is added below it.">
        <Textarea
          rows={3}
          maxLength={4_000}
          defaultValue={form?.mail_text ?? 'Thank you for signing up. One step is missing.'}
        />
      </Field>
    </>
  )
}
