import { KeptFields } from '#components/drafts/kept-fields'
import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { RadioGroup } from '#components/ui/controls/radio-group'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Switch } from '#components/ui/controls/switch'
import { Panel } from '#components/ui/layout/panel'
import type { NotificationPreferences } from '#lib/contracts/telling/notifications'

/** How this instance emails its owners: really, in its sandbox, or not at all. */
export type Reach = 'real' | 'sandbox' | 'absent'

type Props = {
  preferences: NotificationPreferences
  account_email: string
  email: Reach
  messaging: Reach
  save: FormAction
}

const EMAIL = {
  real: 'One email after a minute, then at most one in 15 minutes, however much happens.',
  sandbox: 'Sandbox: emails stay on this instance. Read them under Sandbox.',
  absent: 'This instance has no mail server for notifications yet. Its operator can set NOTIFY_SMTP_URL.',
}
const MESSAGING = {
  real: 'The same, as a text message to your phone.',
  sandbox: 'Sandbox: nothing is sent. Messages are listed under “Messages to you”.',
  absent: 'This instance has no messaging gateway yet. Its operator can set MESSAGING_URL.',
}

export function PreferenceForm({ preferences, account_email, email, messaging, save }: Props) {
  const { version, ...values } = preferences
  return (
    <ActionForm action={save} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <KeptFields name="notifications" what="Your choice" version={version} values={values} />
      <Panel title="How to reach you">
        <div className="grid gap-5">
          <Switch
            name="email_enabled"
            label="Email"
            hint={EMAIL[email]}
            defaultChecked={preferences.email_enabled}
          />
          <Field label="Address" name="personal_email" hint="Leave empty for the address you sign in with.">
            <Input
              type="email"
              maxLength={320}
              placeholder={account_email}
              defaultValue={preferences.personal_email}
            />
          </Field>
          <Switch
            name="messaging_enabled"
            label="Text messages"
            hint={MESSAGING[messaging]}
            defaultChecked={preferences.messaging_enabled}
          />
          <Field label="Number" name="messaging_number" hint="With its country code, such as +491701234567.">
            <Input maxLength={64} defaultValue={preferences.messaging_number} />
          </Field>
        </div>
      </Panel>
      <Panel title="Notify me about">
        <div className="grid gap-4">
          <Switch name="notify_on_reply" label="Replies" defaultChecked={preferences.notify_on_reply} />
          <Switch name="notify_on_bounce" label="Bounces" defaultChecked={preferences.notify_on_bounce} />
          <Switch
            name="notify_on_complaint"
            label="Complaints"
            defaultChecked={preferences.notify_on_complaint}
          />
          <Switch
            name="notify_on_assignment"
            label="Conversations assigned to you"
            defaultChecked={preferences.notify_on_assignment}
          />
          <Switch
            name="notify_on_mention"
            label="Notes that mention you"
            defaultChecked={preferences.notify_on_mention}
          />
          <p className="text-sm text-muted">
            You are always notified when sending stops: when a campaign pauses automatically or cannot start,
            or a mailbox or webhook fails.
          </p>
        </div>
      </Panel>
      <AnalyticsByEmail chosen={preferences.analytics_email} />
      <div>
        <SubmitButton>Save</SubmitButton>
      </div>
    </ActionForm>
  )
}

const AnalyticsByEmail = ({ chosen }: { chosen: NotificationPreferences['analytics_email'] }) => (
  <Panel title="Analytics by email">
    <RadioGroup
      name="analytics_email"
      legend="How often"
      defaultValue={chosen}
      choices={[
        { value: 'off', label: 'Never' },
        {
          value: 'weekly',
          label: 'Every Monday',
          hint: 'Covers the previous week. Sent at 08:00 in the workspace time zone.',
        },
        {
          value: 'monthly',
          label: 'On the first of the month',
          hint: 'Covers the previous month. Sent at 08:00.',
        },
      ]}
    />
  </Panel>
)
