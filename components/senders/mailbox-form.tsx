import { KeptFields } from '#components/drafts/kept-fields'
import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { Select } from '#components/ui/controls/select'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Textarea } from '#components/ui/controls/textarea'
import { Panel } from '#components/ui/layout/panel'
import type { Mailbox } from '#lib/contracts/senders/mailboxes'
import { ProviderPicker } from './provider-picker.tsx'

const SECURITIES = [
  { value: 'starttls', label: 'STARTTLS (usually port 587)' },
  { value: 'tls', label: 'TLS (usually port 465 or 993)' },
  { value: 'none', label: 'None (only for tests)' },
]

const USERNAME_HINTS = {
  smtp: 'Empty: the address, where a password is given.',
  imap: 'Empty, and no password: those of the outgoing server.',
}
const PASSWORD_HINTS = {
  smtp: 'Encrypted, and never shown again.',
  imap: 'Usually the same. Encrypted, and never shown again.',
}

/**
 * Names are those of POST /mail/mailboxes with dots for what is nested: `smtp.host`, `imap.port`, `ramp_up.start`.
 * An empty IMAP host means no IMAP, an empty ramp-up start no ramp-up, an empty password the one it has.
 */
export function MailboxForm({ mailbox, save }: { mailbox: Mailbox | null; save: FormAction }) {
  return (
    <ActionForm action={save} className="grid gap-4">
      <KeptFields
        name={`mailbox:${mailbox?.mailbox_id ?? 'new'}`}
        what="The mailbox"
        {...(mailbox && { version: mailbox.version, values: toFormValues(mailbox) })}
      />
      <div className="grid gap-4 lg:grid-cols-2">
        <Panel title="Who sends">
          <div className="grid gap-4">
            <Field
              label="Address"
              name="address"
              required
              hint={mailbox ? 'The address of a mailbox does not change.' : undefined}
            >
              <Input
                type="email"
                autoComplete="off"
                defaultValue={mailbox?.address}
                readOnly={mailbox !== null}
              />
            </Field>
            {!mailbox && <ProviderPicker />}
            <Field label="Name that recipients see" name="name">
              <Input maxLength={200} defaultValue={mailbox?.name ?? ''} />
            </Field>
            <Field label="Signature" name="signature">
              <Textarea rows={3} defaultValue={mailbox?.signature ?? ''} />
            </Field>
          </div>
        </Panel>
        <Limits limits={mailbox?.limits} />
        <Panel title="Outgoing server (SMTP)">
          <Server prefix="smtp" server={mailbox?.smtp ?? null} isNew={!mailbox} />
        </Panel>
        <Panel title="Incoming server (IMAP)" description="Needed to notice replies and bounces.">
          <Server prefix="imap" server={mailbox?.imap ?? null} isNew={!mailbox} />
        </Panel>
      </div>
      <div>
        <SubmitButton>{mailbox ? 'Save mailbox' : 'Connect mailbox'}</SubmitButton>
      </div>
    </ActionForm>
  )
}

/** As the controls say it; of a server that is not there they stand at what is usual. */
function toFormValues({ address, name, signature, limits, smtp, imap }: Mailbox) {
  return {
    address,
    name,
    signature,
    daily_limit: limits.daily_limit,
    min_interval_seconds: limits.min_interval_seconds,
    'ramp_up.start': limits.ramp_up?.start,
    'ramp_up.increase_per_day': limits.ramp_up?.increase_per_day,
    ...serverValues('smtp', smtp),
    ...serverValues('imap', imap),
  }
}

const USUAL = { smtp: { port: 587, security: 'starttls' }, imap: { port: 993, security: 'tls' } }

function serverValues(prefix: 'smtp' | 'imap', server: Mailbox['smtp'] | null) {
  const { port, security } = server ?? USUAL[prefix]
  return {
    [`${prefix}.host`]: server?.host,
    [`${prefix}.port`]: port,
    [`${prefix}.security`]: security,
    [`${prefix}.username`]: server?.username,
  }
}

type ServerProps = {
  prefix: 'smtp' | 'imap'
  server: Mailbox['smtp'] | null
  /** Of a mailbox that is only being connected. */
  isNew: boolean
}

function Server({ prefix, server, isNew }: ServerProps) {
  const isRequired = prefix === 'smtp'
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_6rem] gap-4">
      <Field label="Host" name={`${prefix}.host`} required={isRequired}>
        <Input autoComplete="off" placeholder={`${prefix}.example.com`} defaultValue={server?.host} />
      </Field>
      <Field label="Port" name={`${prefix}.port`} required={isRequired}>
        <Input type="number" min={1} max={65_535} defaultValue={server?.port ?? USUAL[prefix].port} />
      </Field>
      <Field label="Encryption" name={`${prefix}.security`} className="col-span-2">
        <Select options={SECURITIES} defaultValue={server?.security ?? USUAL[prefix].security} />
      </Field>
      <Field
        label="User name"
        name={`${prefix}.username`}
        hint={isNew ? USERNAME_HINTS[prefix] : undefined}
        className="col-span-2"
      >
        <Input autoComplete="off" defaultValue={server?.username ?? ''} />
      </Field>
      <Field
        label="Password"
        name={`${prefix}.password`}
        hint={
          server
            ? 'Leave empty to keep the current one. It is encrypted and never shown.'
            : PASSWORD_HINTS[prefix]
        }
        className="col-span-2"
      >
        <Input type="password" autoComplete="new-password" />
      </Field>
    </div>
  )
}

function Limits({ limits }: { limits: Mailbox['limits'] | undefined }) {
  return (
    <Panel title="How much" description="Counted in your own time zone, for all campaigns together.">
      <div className="grid grid-cols-2 gap-4">
        <Field label="At most per day" name="daily_limit" required>
          <Input type="number" min={1} max={100_000} defaultValue={limits?.daily_limit ?? 50} />
        </Field>
        <Field label="Seconds between two mails" name="min_interval_seconds" required>
          <Input type="number" min={0} max={86_400} defaultValue={limits?.min_interval_seconds ?? 60} />
        </Field>
        <Field
          label="First day’s limit"
          name="ramp_up.start"
          hint="A new mailbox does well with 5, and 3 more each day. Empty: no ramp-up."
        >
          <Input type="number" min={1} defaultValue={limits?.ramp_up?.start} />
        </Field>
        <Field label="More each day" name="ramp_up.increase_per_day">
          <Input type="number" min={0} defaultValue={limits?.ramp_up?.increase_per_day} />
        </Field>
      </div>
    </Panel>
  )
}
