import { KeptFields } from '#components/drafts/kept-fields'
import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Panel } from '#components/ui/layout/panel'
import type { ConnectedAccount } from '#lib/contracts/senders/connected-accounts'
import { ACTION_LABELS } from '../labels.tsx'

/**
 * Field names are those of PATCH /connected-accounts/{account_id}, with dots for nesting:
 * `limits.message.day`. An empty cap means the default for the account type; an empty ramp-up start means no
 * ramp-up.
 */
export function AccountForm({ account, save }: { account: ConnectedAccount; save: FormAction }) {
  return (
    <ActionForm action={save} className="grid gap-4">
      <KeptFields
        name={`account:${account.account_id}`}
        what="The account"
        version={account.version}
        values={toFormValues(account)}
      />
      <div className="grid items-start gap-4">
        <Panel title="Account">
          <div className="grid grid-cols-2 gap-4">
            <Field label="Name" name="name" required className="col-span-2">
              <Input maxLength={200} defaultValue={account.name} />
            </Field>
            <Field
              label="Seconds between actions"
              name="min_interval_seconds"
              required
              className="col-span-2"
            >
              <Input type="number" min={0} max={86_400} defaultValue={account.min_interval_seconds} />
            </Field>
            <Field
              label="First day’s limit"
              name="ramp_up.start"
              hint="Counts all actions. Leave empty for no ramp-up."
            >
              <Input type="number" min={1} defaultValue={account.ramp_up?.start} />
            </Field>
            <Field label="Added each day" name="ramp_up.increase_per_day">
              <Input type="number" min={0} defaultValue={account.ramp_up?.increase_per_day} />
            </Field>
          </div>
        </Panel>
        <Panel
          title="Caps"
          description="Leave empty for the recommended cap. A higher cap may put the account at risk."
        >
          <div className="grid grid-cols-[minmax(0,1fr)_6rem_6rem] items-center gap-x-3 gap-y-2">
            <span aria-hidden className="col-start-2 text-sm font-medium">
              A day
            </span>
            <span aria-hidden className="text-sm font-medium">
              A week
            </span>
            {account.limits.caps.map((cap) => (
              <CapFields key={cap.action_type} cap={cap} />
            ))}
          </div>
        </Panel>
      </div>
      <div>
        <SubmitButton>Save account</SubmitButton>
      </div>
    </ActionForm>
  )
}

function toFormValues({ name, min_interval_seconds, ramp_up, limits }: ConnectedAccount) {
  const caps = limits.caps.flatMap(({ action_type, is_default, day, week }) => [
    [`limits.${action_type}.day`, is_default ? null : day],
    [`limits.${action_type}.week`, is_default ? null : week],
  ])
  return {
    name,
    min_interval_seconds,
    'ramp_up.start': ramp_up?.start,
    'ramp_up.increase_per_day': ramp_up?.increase_per_day,
    ...Object.fromEntries(caps),
  }
}

function CapFields({ cap }: { cap: ConnectedAccount['limits']['caps'][number] }) {
  const value = (most: number | null) => (cap.is_default ? undefined : (most ?? undefined))
  const hint = (most: number | null) => (cap.is_default ? (most ?? 'no cap').toString() : undefined)
  return (
    <>
      <p className="text-sm">{ACTION_LABELS[cap.action_type]}</p>
      <Field
        hideLabel
        label={`${ACTION_LABELS[cap.action_type]} a day`}
        name={`limits.${cap.action_type}.day`}
      >
        <Input
          type="number"
          min={0}
          max={100_000}
          placeholder={hint(cap.day)}
          defaultValue={value(cap.day)}
        />
      </Field>
      <Field
        hideLabel
        label={`${ACTION_LABELS[cap.action_type]} a week`}
        name={`limits.${cap.action_type}.week`}
      >
        <Input
          type="number"
          min={0}
          max={100_000}
          placeholder={hint(cap.week)}
          defaultValue={value(cap.week)}
        />
      </Field>
    </>
  )
}
