'use client'

import { useRef, useState } from 'react'
import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { RadioGroup } from '#components/ui/controls/radio-group'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Callout } from '#components/ui/feedback/callout'
import { Panel } from '#components/ui/layout/panel'
import { type Confirmation, ConfirmDialog } from '#components/ui/overlays/confirm-dialog'
import type { Campaign } from '#lib/contracts/campaigns/campaign'
import { LaunchPlan, type Plan } from './launch-plan.tsx'

type Props = {
  launch: FormAction
  /** How many leads the launch enrols, without skipped rows. */
  leads: number
  timezone: string
  /** How many checks block the launch. */
  blocks: number
  plan: Plan
  /** When the first message is sent, in words; null: at once. */
  starts: string | null
  /** When the campaign ends and what limits it, in words; null if it cannot be planned yet. */
  finish: string | null
  /** Set if AI texts wait for approval: what happens to leads without an approved text. */
  policy: Campaign['unreviewed_launch_policy'] | null
}

/** `when` is "now" or "later"; `start_at` is local time in the campaign's zone, as the label says. */
export function LaunchForm({ launch, leads, timezone, blocks, plan, starts, finish, policy }: Props) {
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null)
  const box = useRef<HTMLDivElement>(null)
  const isConfirmed = useRef(false)
  const count = `${leads.toLocaleString('en')} ${leads === 1 ? 'lead' : 'leads'}`

  /** The first submission opens the dialog; the dialog's own submission goes to the server. */
  const act: FormAction = async (previous, data) => {
    if (isConfirmed.current) {
      isConfirmed.current = false
      return launch(previous, data)
    }
    setConfirmation(buildConfirmation(data, { count, timezone, starts, finish }))
    return { ok: true }
  }
  function confirm() {
    isConfirmed.current = true
    box.current?.closest('form')?.requestSubmit()
  }
  return (
    <Panel title="Launch">
      <ActionForm action={act} className="group grid gap-4">
        {blocks > 0 ? <Blocked blocks={blocks} /> : <Choices {...{ timezone, plan, starts, policy }} />}
        <div ref={box}>
          <SubmitButton disabled={blocks > 0} variant={blocks > 0 ? 'secondary' : 'primary'}>
            Launch to {count}
          </SubmitButton>
        </div>
      </ActionForm>
      <ConfirmDialog confirmation={confirmation} onConfirm={confirm} onClose={() => setConfirmation(null)} />
    </Panel>
  )
}

const Blocked = ({ blocks }: { blocks: number }) => (
  <Callout
    tone="danger"
    title={blocks === 1 ? '1 check blocks the launch' : `${blocks} checks block the launch`}
  >
    Once {blocks === 1 ? 'it is' : 'they are'} fixed, you choose here when it starts.
  </Callout>
)

/** When to start, what to do about unreviewed texts, and what would be sent. */
function Choices({ timezone, plan, starts, policy }: Pick<Props, 'timezone' | 'plan' | 'starts' | 'policy'>) {
  return (
    <>
      <RadioGroup
        name="when"
        legend="When"
        defaultValue="now"
        choices={[
          { value: 'now', label: 'Now', hint: firstMessage(starts) },
          { value: 'later', label: 'Later', hint: 'It stays scheduled and can be edited until then.' },
        ]}
      />
      <div className="hidden group-has-[[value=later]:checked]:block">
        <Field label={`Start (${timezone})`} name="start_at">
          <Input type="datetime-local" />
        </Field>
      </div>
      {policy && <PolicyChoice policy={policy} />}
      <LaunchPlan plan={plan} timezone={timezone} />
    </>
  )
}

const firstMessage = (starts: string | null) =>
  starts ? `It starts ${starts}.` : 'The first message is sent immediately.'

type Launching = Pick<Props, 'timezone' | 'starts' | 'finish'> & { count: string }

function buildConfirmation(data: FormData, { count, timezone, starts, finish }: Launching): Confirmation {
  const isLater = data.get('when') === 'later'
  const start = String(data.get('start_at') ?? '').replace('T', ' ')
  const parts = [
    isLater
      ? `It starts ${start || 'at the time that you choose'} (${timezone}) and can be edited until then.`
      : firstMessage(starts),
    finish,
    'You can pause it at any time.',
  ]
  return {
    title: isLater ? `Schedule the launch to ${count}?` : `Launch to ${count} now?`,
    description: parts.filter(Boolean).join(' '),
    label: isLater ? 'Schedule' : 'Launch now',
  }
}

function PolicyChoice({ policy }: { policy: Campaign['unreviewed_launch_policy'] }) {
  return (
    <RadioGroup
      name="unreviewed_launch_policy"
      legend="Leads without an approved text"
      defaultValue={policy}
      choices={[
        { value: 'launch_default', label: 'Send the step’s own text' },
        { value: 'hold', label: 'Hold them', hint: 'They wait until their text is approved.' },
        {
          value: 'cancel',
          label: 'Cancel a scheduled start',
          hint: 'Back to draft if its texts are not reviewed by then.',
        },
      ]}
    />
  )
}
