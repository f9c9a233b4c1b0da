'use client'

import { ArrowDown, ArrowUp, Lock, Mail, Trash2, UserRound } from 'lucide-react'
import { MessageFields } from '#components/templates/message-fields'
import { Field } from '#components/ui/field'
import { IconButton } from '#components/ui/icon-button'
import { Input } from '#components/ui/input'
import { SegmentedControl } from '#components/ui/segmented-control'
import type { SenderProfile } from '#lib/contracts/sender-profiles'
import type { StepConfig } from '#lib/contracts/steps'
import type { Template } from '#lib/contracts/templates'
import { newVariant } from './steps.tsx'
import { Tracking } from './tracking.tsx'
import { VariantList } from './variant-list.tsx'

type Props = {
  step: StepConfig
  isOpen: boolean
  isFixed: boolean
  isFirstMovable: boolean
  isLast: boolean
  templates: Template[]
  profiles: SenderProfile[]
  fields: string[]
  onOpen: () => void
  onChange: (step: StepConfig) => void
  onMove: (by: 1 | -1) => void
  onRemove: () => void
  onShowVariant: (label: string) => void
}

/** One step: its delay on the line that leads to it, its head always, its content when open. */
export function StepCard(props: Props) {
  const { step, isOpen, isFixed, onOpen } = props
  return (
    <li>
      {(step.step > 1 || step.delay_days > 0) && <Delay days={step.delay_days} isFirst={step.step === 1} />}
      <section
        aria-label={`Step ${step.step}`}
        className={`rounded-md border bg-surface ${isOpen ? 'border-accent-border' : 'border-border'}`}
      >
        <header className="flex items-center gap-1 py-1.5 pr-2 pl-1.5">
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={onOpen}
            className="flex min-h-8 min-w-0 flex-1 items-center gap-2.5 rounded-sm px-2 text-left text-sm hover:bg-hover"
          >
            {step.channel === 'email' ? (
              <Mail aria-hidden className="size-4 shrink-0 text-muted" />
            ) : (
              <UserRound aria-hidden className="size-4 shrink-0 text-muted" />
            )}
            <span className="shrink-0 font-medium">Step {step.step}</span>
            <span className="truncate text-muted">{headline(props)}</span>
          </button>
          {isFixed ? (
            <Lock
              role="img"
              aria-label="Leads have reached this step; it is fixed"
              className="mx-2 size-4 text-muted"
            />
          ) : (
            <Tools {...props} />
          )}
        </header>
        {isOpen && (
          <fieldset disabled={isFixed} className="min-w-0 border-t border-border p-4">
            <legend className="sr-only">Content of step {step.step}</legend>
            <StepContent {...props} />
          </fieldset>
        )}
      </section>
    </li>
  )
}

function headline({ step, templates }: Props): string {
  if (step.variants.length > 1) return `${step.variants.length} variants`
  const template = templates.find((one) => one.template_id === step.variants[0]?.template_id)
  return template?.name || step.subject || step.message_template?.split('\n')[0] || 'Nothing written yet'
}

function Delay({ days, isFirst }: { days: number; isFirst: boolean }) {
  const wait = days === 0 ? 'the same day' : `${days} ${days === 1 ? 'day' : 'days'}`
  return (
    <div className="flex items-center gap-2 py-1 pl-5 text-xs text-muted">
      <span aria-hidden className="h-6 w-px bg-border" />
      <span className="rounded-full border border-border bg-sunken px-2 py-0.5">
        {days === 0 ? wait : `wait ${wait}${isFirst ? ' after the launch' : ''}`}
      </span>
    </div>
  )
}

function Tools({ step, isFirstMovable, isLast, onMove, onRemove }: Props) {
  return (
    <>
      <IconButton
        small
        label={`Move step ${step.step} up`}
        disabled={isFirstMovable}
        onClick={() => onMove(-1)}
      >
        <ArrowUp />
      </IconButton>
      <IconButton small label={`Move step ${step.step} down`} disabled={isLast} onClick={() => onMove(1)}>
        <ArrowDown />
      </IconButton>
      <IconButton
        small
        label={`Remove step ${step.step}`}
        disabled={isLast && step.step === 1}
        onClick={onRemove}
      >
        <Trash2 />
      </IconButton>
    </>
  )
}

function StepContent({ step, templates, profiles, fields, onChange, onShowVariant }: Props) {
  const usesTemplates = step.variants.length > 0
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-end gap-x-6 gap-y-3">
        <Field
          label={step.step === 1 ? 'Days after the launch' : 'Days after the step before'}
          className="w-48"
        >
          <Input
            type="number"
            min={0}
            max={365}
            value={step.delay_days}
            onChange={(event) =>
              onChange({ ...step, delay_days: Math.max(0, Math.min(365, event.target.valueAsNumber || 0)) })
            }
          />
        </Field>
        <SegmentedControl
          legend="Where the text comes from"
          name={`source-${step.step}`}
          value={usesTemplates ? 'templates' : 'inline'}
          options={[
            { value: 'inline', label: 'Written here' },
            { value: 'templates', label: 'Templates & variants' },
          ]}
          onChange={(source) =>
            onChange({
              ...step,
              variants: source === 'inline' ? [] : [newVariant([], templates[0]?.template_id ?? null)],
            })
          }
        />
      </div>
      {usesTemplates ? (
        <VariantList
          variants={step.variants}
          templates={templates}
          profiles={profiles}
          onChange={(variants) => onChange({ ...step, variants })}
          onShow={onShowVariant}
        />
      ) : (
        <MessageFields
          message={{ subject: step.subject ?? '', body: step.message_template ?? '' }}
          onChange={({ subject, body }) =>
            onChange({ ...step, subject: subject || null, message_template: body })
          }
          fields={fields}
          subjectHint={step.step > 1 ? 'Empty: it answers in the thread, as “Re: …”.' : undefined}
        />
      )}
      <Tracking step={step} onChange={onChange} />
    </div>
  )
}
