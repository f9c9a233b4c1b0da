'use client'

import { X } from 'lucide-react'
import dynamic from 'next/dynamic'
import { Field } from '#components/ui/controls/field'
import { IconButton } from '#components/ui/controls/icon-button'
import { Input } from '#components/ui/controls/input'
import { Select } from '#components/ui/controls/select'
import { Callout } from '#components/ui/feedback/callout'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import { stepAction } from '#lib/domain/campaigns/campaign-type'
import { takesText } from '#lib/domain/campaigns/social-step'
import { writtenText } from '#lib/domain/campaigns/step-text'
import { accountLabel, accountObstacle } from '../accounts.tsx'
import { KIND_LIST, KINDS, type Kind } from '../kinds.tsx'
import { MOST_DAYS } from '../steps.tsx'
import { orderNote } from './order-note.tsx'
import type { PaneProps } from './pane-props.tsx'
import { StepOptions } from './step-options.tsx'
import { StepText } from './step-text.tsx'

const ConditionField = dynamic(
  () => import('./condition-field.tsx').then((module) => module.ConditionField),
  { loading: () => null },
)

/** All settings of the selected step: kind, timing, sender and text. */
export function StepPane(props: PaneProps) {
  const { step, steps, isFixed, isLocked, problems, acting, onChange, onClose } = props
  const { icon: Icon, label, about } = KINDS[stepAction(step)]
  const isSocial = step.channel === 'social'
  const orderHint = orderNote(steps, step.step - 1)
  const obstacle = accountObstacle(stepAction(step), acting)
  return (
    <section
      data-pane
      tabIndex={-1}
      aria-label={`Step ${step.step}`}
      className="min-w-0 rounded-md border border-border bg-surface focus-visible:outline-none"
    >
      <header className="flex min-h-12 items-center gap-2.5 border-b border-border px-4 py-2">
        <Icon aria-hidden className="size-4 shrink-0 text-muted" />
        <h2 className="text-sm font-semibold">
          Step {step.step}: {label}
        </h2>
        <p className="min-w-0 flex-1 truncate text-sm text-muted max-sm:hidden">{about}</p>
        {onClose && (
          <IconButton small label="Close the step" onClick={onClose}>
            <X />
          </IconButton>
        )}
      </header>
      <fieldset disabled={isFixed} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 p-4">
        <legend className="sr-only">What step {step.step} does, and when</legend>
        {isFixed && !isLocked && (
          <Callout>Leads have reached this step, so it is locked. Later steps can change.</Callout>
        )}
        {obstacle && <Callout tone="warning">{obstacle}</Callout>}
        <div className="grid gap-4 sm:grid-cols-2 2xl:grid-cols-3">
          <KindField step={step} onChange={onChange} />
          <DelayField step={step} error={problems.delay_days} onChange={onChange} />
          {step.step > 1 && (
            <ConditionField
              step={step}
              steps={steps}
              isLinkedIn={acting.every(({ provider }) => provider === 'linkedin')}
              onChange={onChange}
            />
          )}
          {isSocial && <AccountField {...props} />}
        </div>
        {orderHint && <p className="text-sm text-muted">{orderHint}</p>}
      </fieldset>
      <div className="px-4 pb-4">
        <StepText {...props} />
      </div>
      <fieldset disabled={isFixed} className="min-w-0 px-4 pb-4 empty:hidden">
        <StepOptions step={step} onChange={onChange} />
      </fieldset>
    </section>
  )
}

type FieldProps = Pick<PaneProps, 'step' | 'onChange'>

function KindField({ step, onChange }: FieldProps) {
  const choose = (value: string) =>
    onChange(changedKind(step, KIND_LIST.find((kind) => kind === value) ?? stepAction(step)))
  return (
    <Field label="Step type">
      <Select
        value={stepAction(step)}
        options={KIND_LIST.map((kind) => ({ value: kind, label: KINDS[kind].label }))}
        onChange={(event) => choose(event.target.value)}
      />
    </Field>
  )
}

function DelayField({ step, error, onChange }: FieldProps & { error: string | undefined }) {
  return (
    <Field label={step.step === 1 ? 'Days after the launch' : 'Days after the previous step'} error={error}>
      <Input
        type="number"
        min={0}
        max={MOST_DAYS}
        value={Number.isNaN(step.delay_days) ? '' : step.delay_days}
        onChange={(event) => onChange({ ...step, delay_days: event.target.valueAsNumber })}
      />
    </Field>
  )
}

/** Changes the kind and keeps the text; settings that the new kind lacks are removed. */
function changedKind(step: StepConfig, kind: Kind): StepConfig {
  if (kind === 'email') return { ...step, action_type: kind, channel: 'email' }
  const social = {
    ...step,
    action_type: kind,
    channel: 'social' as const,
    track_clicks: false,
    track_opens: false,
  }
  if (takesText(kind)) return social
  const words = writtenText(step, step.variants[0])
  return { ...social, ...words, ai_personalization_enabled: false, variants: [] }
}

function AccountField({ accounts, account_id, isLocked, onAccount }: PaneProps) {
  const linkedIn = accounts.filter(({ provider }) => provider === 'linkedin').length
  return (
    <Field
      label="Account"
      hint="For all social steps in the campaign."
      className={isLocked ? 'opacity-60' : undefined}
    >
      <Select
        value={account_id ?? ''}
        options={[
          { value: '', label: `All LinkedIn accounts (${linkedIn})` },
          ...accounts.map((account) => ({ value: account.account_id, label: accountLabel(account) })),
        ]}
        onChange={(event) => onAccount(event.target.value || null)}
      />
    </Field>
  )
}
