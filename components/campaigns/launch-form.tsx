import { ActionForm, type FormAction } from '#components/ui/action-form'
import { Field } from '#components/ui/field'
import { Input } from '#components/ui/input'
import { Panel } from '#components/ui/panel'
import { RadioGroup } from '#components/ui/radio-group'
import { SubmitButton } from '#components/ui/submit-button'

type Props = { launch: FormAction; leads: number; timezone: string; isBlocked: boolean }

/** `when` is "now" or "later"; `start_at` is local time in the campaign's zone, as the label says. */
export function LaunchForm({ launch, leads, timezone, isBlocked }: Props) {
  return (
    <Panel title="Launch">
      <ActionForm action={launch} className="group grid gap-4">
        <RadioGroup
          name="when"
          legend="When"
          defaultValue="now"
          choices={[
            { value: 'now', label: 'Now', hint: 'The first message leaves with the next open window.' },
            { value: 'later', label: 'At a time', hint: 'It waits as “scheduled” and can still be edited.' },
          ]}
        />
        <div className="hidden group-has-[[value=later]:checked]:block">
          <Field label={`Start (${timezone})`} name="start_at">
            <Input type="datetime-local" />
          </Field>
        </div>
        <div className="flex flex-wrap items-center gap-3">
          <SubmitButton disabled={isBlocked}>Launch to {leads.toLocaleString('en')} leads</SubmitButton>
          {isBlocked && <p className="text-sm text-muted">First mend what blocks the launch.</p>}
        </div>
      </ActionForm>
    </Panel>
  )
}
