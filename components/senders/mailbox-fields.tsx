import { Checkbox } from '#components/ui/controls/checkbox'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { Select } from '#components/ui/controls/select'
import { Textarea } from '#components/ui/controls/textarea'
import { RelativeTime } from '#components/ui/relative-time'
import type { Mailbox } from '#lib/contracts/senders/mailbox'

/**
 * Field names are those of POST /mail/mailboxes, with dots for nesting: `smtp.host`, `imap.port`,
 * `ramp_up.start`. An empty IMAP host means no IMAP; an empty ramp-up start means no ramp-up.
 */
const SECURITIES = [
  { value: 'starttls', label: 'STARTTLS (usually port 587)' },
  { value: 'tls', label: 'TLS (usually port 465 or 993)' },
  { value: 'none', label: 'None (only for tests)' },
]

export const USUAL = { smtp: { port: 587, security: 'starttls' }, imap: { port: 993, security: 'tls' } }

type ServerProps = {
  prefix: 'smtp' | 'imap'
  /** The current server of an existing mailbox. */
  server?: Mailbox['smtp'] | null | undefined
  /** One password is used for both servers and is asked for elsewhere. */
  isShared?: boolean
}

const PASSWORD_HINTS = {
  kept: 'Leave empty to keep the current one. Encrypted and never shown.',
  none: 'Encrypted and never shown again.',
}

export function ServerFields({ prefix, server, isShared = false }: ServerProps) {
  const isRequired = prefix === 'smtp' && !isShared
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
        hint={isShared ? 'If different from the address.' : undefined}
        className="col-span-2"
      >
        <Input autoComplete="off" defaultValue={server?.username ?? ''} />
      </Field>
      {(!isShared || prefix === 'imap') && (
        <Field
          label="Password"
          name={`${prefix}.password`}
          hint={isShared ? 'If different from the one above.' : PASSWORD_HINTS[server ? 'kept' : 'none']}
          className="col-span-2"
        >
          <Input type="password" autoComplete="new-password" />
        </Field>
      )}
    </div>
  )
}

export function LimitFields({ limits }: { limits?: Mailbox['limits'] }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Emails per day" name="daily_limit" required>
        <Input type="number" min={1} max={100_000} defaultValue={limits?.daily_limit ?? 50} />
      </Field>
      <Field label="Seconds between emails" name="min_interval_seconds" required>
        <Input type="number" min={0} max={86_400} defaultValue={limits?.min_interval_seconds ?? 60} />
      </Field>
      <Field
        label="First day’s limit"
        name="ramp_up.start"
        hint="For a new mailbox, start with 5 and add 3 a day. Leave empty for no ramp-up."
      >
        <Input type="number" min={1} defaultValue={limits?.ramp_up?.start} />
      </Field>
      <Field label="Added each day" name="ramp_up.increase_per_day">
        <Input type="number" min={0} defaultValue={limits?.ramp_up?.increase_per_day} />
      </Field>
      <Checkbox
        name="ramp_up.by_health"
        className="sm:col-span-2"
        label="Ramp up by health"
        hint="The limit rises only while few emails bounce, are deferred or land in spam. Otherwise it stays the same or is halved."
        defaultChecked={limits?.ramp_up?.by_health ?? true}
      />
    </div>
  )
}

type OwnProps = { mailbox: Mailbox; now: string }

/** The From address, chosen from the mailbox's own addresses. */
export const SendAsFields = ({ mailbox, now }: OwnProps) =>
  hasAliasField(mailbox) ? <WrittenAliases mailbox={mailbox} /> : <ReadAliases mailbox={mailbox} now={now} />

/** Whether its addresses must be entered by hand. */
export const hasAliasField = ({ aliases_read_at, aliases_error }: Mailbox): boolean =>
  aliases_read_at === null || aliases_error !== null

function ReadAliases({ mailbox: { address, aliases, aliases_read_at, send_as }, now }: OwnProps) {
  const isLost = send_as !== null && !aliases.includes(send_as)
  const options = [
    { value: '', label: address },
    ...aliases.map((one) => ({ value: one, label: one })),
    ...(isLost ? [{ value: send_as, label: `${send_as} (no longer yours)` }] : []),
  ]
  const hint = (
    <>
      {aliases.length === 0
        ? 'Your provider lists no other addresses. '
        : 'As listed by your provider. Follow-ups keep the address their thread started with. '}
      {aliases_read_at && (
        <>
          Read <RelativeTime at={aliases_read_at} now={now} />; “Test the connection” reads them again.
        </>
      )}
    </>
  )
  return (
    <Field label="Send as" name="send_as" hint={hint}>
      <Select options={options} defaultValue={send_as ?? ''} />
    </Field>
  )
}

function WrittenAliases({ mailbox: { aliases, aliases_error, oauth, send_as } }: { mailbox: Mailbox }) {
  return (
    <>
      <Field
        label="Send as"
        name="send_as"
        hint={`Leave empty for its own address. Follow-ups keep the address their thread started with.${oauth?.vendor === 'microsoft' ? ' Microsoft 365 keeps another address only if your organization allows sending from aliases.' : ''}`}
      >
        <Input type="email" autoComplete="off" defaultValue={send_as ?? ''} />
      </Field>
      <Field
        label="Other addresses"
        name="aliases"
        hint={`One per line. Replies go out from the address the email was sent to.${aliases_error ? ` ${aliases_error}` : ''}`}
      >
        <Textarea rows={2} defaultValue={aliases.join('\n')} />
      </Field>
    </>
  )
}
