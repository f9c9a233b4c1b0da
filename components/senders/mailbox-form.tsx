import { KeptFields } from '#components/drafts/kept-fields'
import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Textarea } from '#components/ui/controls/textarea'
import { Panel } from '#components/ui/layout/panel'
import type { Mailbox } from '#lib/contracts/senders/mailboxes'
import { LimitFields, ServerFields, USUAL } from './mailbox-fields.tsx'

/** The settings of a connected mailbox. An empty password keeps the one it has. */
export function MailboxForm({ mailbox, save }: { mailbox: Mailbox; save: FormAction }) {
  return (
    <ActionForm action={save} className="grid gap-4">
      <KeptFields
        name={`mailbox:${mailbox.mailbox_id}`}
        what="The mailbox"
        version={mailbox.version}
        values={toFormValues(mailbox)}
      />
      <div className="grid gap-4 lg:grid-cols-2">
        <Panel title="Who sends">
          <div className="grid gap-4">
            <Field label="Address" name="address" hint="The address of a mailbox does not change.">
              <Input type="email" defaultValue={mailbox.address} readOnly />
            </Field>
            <Field label="Name that recipients see" name="name">
              <Input maxLength={200} defaultValue={mailbox.name ?? ''} />
            </Field>
            <Field label="Signature" name="signature">
              <Textarea rows={3} defaultValue={mailbox.signature ?? ''} />
            </Field>
          </div>
        </Panel>
        <Panel title="Limits" description="Counted per day in your time zone, for all campaigns together.">
          <LimitFields limits={mailbox.limits} />
        </Panel>
        {!mailbox.oauth && (
          <>
            <Panel title="Outgoing server (SMTP)">
              <ServerFields prefix="smtp" server={mailbox.smtp} />
            </Panel>
            <Panel title="Incoming server (IMAP)" description="Needed to notice replies and bounces.">
              <ServerFields prefix="imap" server={mailbox.imap} />
            </Panel>
          </>
        )}
      </div>
      <div>
        <SubmitButton>Save mailbox</SubmitButton>
      </div>
    </ActionForm>
  )
}

/** As the controls say it; of a server that is not there they stand at what is usual. */
function toFormValues({ address, name, signature, limits, smtp, imap, oauth }: Mailbox) {
  return {
    address,
    name,
    signature,
    daily_limit: limits.daily_limit,
    min_interval_seconds: limits.min_interval_seconds,
    'ramp_up.start': limits.ramp_up?.start,
    'ramp_up.increase_per_day': limits.ramp_up?.increase_per_day,
    // What the form has no fields for would count as changed.
    ...(oauth ? {} : { ...serverValues('smtp', smtp), ...serverValues('imap', imap) }),
  }
}

function serverValues(prefix: 'smtp' | 'imap', server: Mailbox['smtp'] | null) {
  const { port, security } = server ?? USUAL[prefix]
  return {
    [`${prefix}.host`]: server?.host,
    [`${prefix}.port`]: port,
    [`${prefix}.security`]: security,
    [`${prefix}.username`]: server?.username,
  }
}
