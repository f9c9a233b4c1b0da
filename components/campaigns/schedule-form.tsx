import { ActionForm, type FormAction } from '#components/ui/action-form'
import { Callout } from '#components/ui/callout'
import { Field } from '#components/ui/field'
import { Input } from '#components/ui/input'
import { Panel } from '#components/ui/panel'
import { Select } from '#components/ui/select'
import { SubmitButton } from '#components/ui/submit-button'
import type { Campaign } from '#lib/contracts/campaigns'
import type { Mailbox } from '#lib/contracts/mailboxes'
import { editScope } from '#lib/domain/campaign-status'
import { SEND_DAYS } from '#lib/domain/schedule'

type Props = { campaign: Campaign; mailboxes: Mailbox[]; zones: string[]; save: FormAction }

const DAY_LABELS = { mon: 'Mon', tue: 'Tue', wed: 'Wed', thu: 'Thu', fri: 'Fri', sat: 'Sat', sun: 'Sun' }

/** Field names are those of PATCH /campaigns; `send_days` and `alias_ids` come once per chosen value. */
export function ScheduleForm({ campaign, mailboxes, zones, save }: Props) {
  const isLocked = editScope(campaign.status) === 'none' && campaign.status !== 'failed'
  return (
    <ActionForm action={save} className="grid gap-4">
      {isLocked && (
        <Callout
          title={
            campaign.status === 'completed'
              ? 'The campaign is over; its schedule stays as it was'
              : 'The schedule cannot be changed while the campaign is running'
          }
        >
          {campaign.status !== 'completed' &&
            'Pause it first; what was sent stays sent, and nothing is caught up in a burst.'}
        </Callout>
      )}
      <fieldset disabled={isLocked} className="grid min-w-0 gap-4 lg:grid-cols-2">
        <legend className="sr-only">Schedule</legend>
        <Panel title="Window" description="Messages leave only inside it.">
          <div className="grid grid-cols-2 gap-4">
            <SendDays chosen={campaign.send_days} />
            <Field label="From" name="sending_window_start" required>
              <Input type="time" defaultValue={campaign.sending_window_start.slice(0, 5)} />
            </Field>
            <Field label="To" name="sending_window_end" required hint="Before “from”: past midnight.">
              <Input type="time" defaultValue={campaign.sending_window_end.slice(0, 5)} />
            </Field>
            <Field label="Time zone" name="timezone" required className="col-span-2">
              <Select
                options={zones.map((value) => ({ value, label: value }))}
                defaultValue={campaign.timezone}
              />
            </Field>
          </div>
        </Panel>
        <Panel title="Pace" description="The limits of each mailbox hold as well.">
          <div className="grid grid-cols-2 gap-4">
            <Field
              label="At most per day"
              name="daily_limit"
              required
              hint={`Counted in ${campaign.timezone}.`}
            >
              <Input type="number" min={1} max={10_000} defaultValue={campaign.daily_limit} />
            </Field>
            <Field label="Seconds between two" name="min_interval_seconds" required>
              <Input type="number" min={0} max={86_400} defaultValue={campaign.min_interval_seconds} />
            </Field>
            <Mailboxes mailboxes={mailboxes} chosen={campaign.alias_ids} />
          </div>
        </Panel>
      </fieldset>
      {!isLocked && (
        <div>
          <SubmitButton>Save schedule</SubmitButton>
        </div>
      )}
    </ActionForm>
  )
}

function SendDays({ chosen }: { chosen: Campaign['send_days'] }) {
  return (
    <fieldset className="col-span-2">
      <legend className="mb-1 text-sm font-medium">Days</legend>
      <div className="flex flex-wrap gap-1.5">
        {SEND_DAYS.map((day) => (
          <label
            key={day}
            className="inline-flex h-8 items-center rounded-sm border border-control bg-surface px-2.5 text-sm text-muted has-checked:border-accent-text has-checked:bg-accent-subtle has-checked:font-medium has-checked:text-accent-text has-focus-visible:outline-2 has-focus-visible:outline-accent-text"
          >
            <input
              type="checkbox"
              name="send_days"
              value={day}
              defaultChecked={chosen.includes(day)}
              className="sr-only"
            />
            {DAY_LABELS[day]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function Mailboxes({ mailboxes, chosen }: { mailboxes: Mailbox[]; chosen: string[] | null }) {
  return (
    <fieldset className="col-span-2">
      <legend className="mb-1 text-sm font-medium">Send from</legend>
      <div className="grid max-h-44 gap-1 overflow-y-auto">
        {mailboxes.map((mailbox) => (
          <label key={mailbox.mailbox_id} className="flex min-h-6 items-center gap-2 text-sm">
            <input
              type="checkbox"
              name="alias_ids"
              value={mailbox.mailbox_id}
              defaultChecked={chosen?.includes(mailbox.mailbox_id)}
              className="size-4 accent-accent"
            />
            {mailbox.address}
            <span className="text-muted">{mailbox.limits.today} a day</span>
          </label>
        ))}
      </div>
      <p className="mt-1 text-sm text-muted">None chosen: every connected mailbox, in turn.</p>
    </fieldset>
  )
}
