import { KeptFields } from '#components/drafts/kept-fields'
import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Checkbox } from '#components/ui/controls/checkbox'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Textarea } from '#components/ui/controls/textarea'
import { Panel } from '#components/ui/layout/panel'
import { RelativeTime } from '#components/ui/relative-time'
import type { Mailbox } from '#lib/contracts/senders/mailbox'
import { savesSentItself } from '#lib/domain/domains/sent-folders'
import { hasAliasField, LimitFields, SendAsFields, ServerFields, USUAL } from './mailbox-fields.tsx'
import { readingState, ServerPanel, sendingState } from './mailbox-status.tsx'

type Props = { mailbox: Mailbox; save: FormAction; now: string }

/** The settings of a connected mailbox. An empty password keeps the current one. */
export function MailboxForm({ mailbox, save, now }: Props) {
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
            <Field label="Address" name="address" hint="The address cannot be changed.">
              <Input type="email" defaultValue={mailbox.address} readOnly />
            </Field>
            <Field label="Name that recipients see" name="name">
              <Input maxLength={200} defaultValue={mailbox.name ?? ''} />
            </Field>
            <SendAsFields mailbox={mailbox} now={now} />
            <Field
              label="Reply-To"
              name="reply_to"
              hint="Where replies go. Leave empty for the sending address. Replies sent elsewhere are noticed only if that mailbox is connected too."
            >
              <Input type="email" autoComplete="off" defaultValue={mailbox.reply_to ?? ''} />
            </Field>
            <Field
              label="Signature"
              name="signature"
              hint="Added below each email. You can use {{ sender.name }}, {{ sender.email }} and sender profile fields."
            >
              <Textarea rows={3} defaultValue={mailbox.signature ?? ''} />
            </Field>
          </div>
        </Panel>
        <LimitsAndSent mailbox={mailbox} now={now} />
        {!mailbox.oauth && (
          <>
            <ServerPanel
              title="Outgoing server (SMTP)"
              description="Sends emails."
              state={sendingState(mailbox, now)}
            >
              <ServerFields prefix="smtp" server={mailbox.smtp} />
            </ServerPanel>
            <ServerPanel
              title="Incoming server (IMAP)"
              description="Needed to notice replies and bounces."
              state={readingState(mailbox, now)}
            >
              <ServerFields prefix="imap" server={mailbox.imap} />
            </ServerPanel>
          </>
        )}
      </div>
      <div>
        <SubmitButton>Save mailbox</SubmitButton>
      </div>
    </ActionForm>
  )
}

/** Both panels are shorter than the sender panel beside them. */
const LimitsAndSent = ({ mailbox, now }: Omit<Props, 'save'>) => (
  <div className="grid content-start gap-4">
    <Panel title="Limits" description="Per day in your time zone, across all campaigns.">
      <LimitFields limits={mailbox.limits} />
    </Panel>
    <SentPanel mailbox={mailbox} now={now} />
  </div>
)

const hasSentFields = ({ imap, smtp }: Pick<Mailbox, 'imap' | 'smtp'>): boolean =>
  imap !== null && !savesSentItself(smtp.host)

/** Who stores sent mail: the server itself, or Opener over IMAP. */
function SentPanel({ mailbox, now }: Omit<Props, 'save'>) {
  const { imap, save_sent, sent_folder } = mailbox
  if (!imap) return null
  if (!hasSentFields(mailbox))
    return (
      <Panel title="Sent folder" description={<SentRead mailbox={mailbox} now={now} />}>
        <p className="text-sm text-muted">The provider saves a copy of every sent email there.</p>
      </Panel>
    )
  return (
    <Panel title="Sent folder" description={<SentRead mailbox={mailbox} now={now} />}>
      <div className="grid gap-4">
        <Checkbox
          name="save_sent"
          label="Save sent emails in the mailbox"
          hint="A copy of each email appears there within minutes."
          defaultChecked={save_sent}
        />
        <Field label="Folder" name="sent_folder" hint="Leave empty for the folder the server marks as Sent.">
          <Input maxLength={500} placeholder="Sent" defaultValue={sent_folder ?? ''} />
        </Field>
      </div>
    </Panel>
  )
}

/** Whether Opener can see what the owner writes to leads in other programs. */
function SentRead({ mailbox: { sent_polled_at, inbox_polled_at }, now }: Omit<Props, 'save'>) {
  return (
    <>
      Emails you send to leads from elsewhere are found here and end their steps. Other emails stay private.{' '}
      {sent_polled_at ? (
        <>
          Read <RelativeTime at={sent_polled_at} now={now} />.
        </>
      ) : inbox_polled_at ? (
        'No such folder, or it cannot be read.'
      ) : (
        'Not read yet.'
      )}
    </>
  )
}

/** The initial form values; without a server the fields show the usual defaults. */
function toFormValues(mailbox: Mailbox) {
  const { address, name, signature, reply_to, send_as, aliases } = mailbox
  const { save_sent, sent_folder, limits, smtp, imap, oauth } = mailbox
  return {
    address,
    name,
    signature,
    reply_to,
    send_as,
    ...(hasAliasField(mailbox) && { aliases: aliases.join('\n') }),
    daily_limit: limits.daily_limit,
    min_interval_seconds: limits.min_interval_seconds,
    'ramp_up.start': limits.ramp_up?.start,
    'ramp_up.increase_per_day': limits.ramp_up?.increase_per_day,
    'ramp_up.by_health': limits.ramp_up?.by_health ?? true,
    // Values without a form field would count as changed.
    ...(hasSentFields({ imap, smtp }) && { save_sent, sent_folder }),
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
